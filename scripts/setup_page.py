"""The reference page of `muniment init`: what it writes for each harness, out of the descriptions themselves."""

import os

GIVES = {
    "hook": "its hooks",
    "plugin": "an extension of ours",
    "file": "a file in the project",
    "tools": "the tools alone",
}


def page(made):
    from muniment.harness.registry import HARNESSES

    lines = [
        "# What init writes", "", made, "",
        "`muniment init` writes these files for the harnesses that it finds, or for those named with `--harness`. `~` is the",
        "home folder (on Windows `%USERPROFILE%`), paths without it are in the project. A variable that moves a harness's",
        "folder is followed. [How to use it](../how-to/set-up-harnesses.md).", "",
        "**Given by**: how an agent comes to know what is remembered before its first word. **Grounds**: *wire*, what is given",
        "was seen in the request to the model; *fires*, hooks run and the model is shown nothing; *read*, written as the",
        "harness's documents say.", "",
        "| harness | given by | grounds | files |", "| --- | --- | --- | --- |",
        *(f"| {each.title} (`{each.name}`) | {GIVES[each.gives]} | {each.grounds} | {', '.join(_files(each))} |"
          for each in HARNESSES.values()), "",
        "## What to know of some", "",
        *(f"- `{each.name}`: {note}." for each in HARNESSES.values() for note in (each.refused, *each.notes) if note), "",
        "## The four lights", "",
        "| light | on when |", "| --- | --- |",
        "| installed | the files were read back and hold what they should |",
        "| reachable | our tools stood in a request of the harness (`--offline`) |",
        "| storing | the store of this project holds sessions of it |",
        "| recalled | a planted fact stood in a request of the harness (`--offline`), or the view in its own log (`--live`) |", "",
        "What nobody looked at is *unproved*, whatever is likely. `muniment doctor` shows all of them with what was looked at",
        "and when, and looks at the files again.",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _files(harness):
    from muniment.harness.contract import Commands, Machine, Site

    machine = Machine("~", "linux", {}, lambda _: None)
    parts = harness.parts(Site(machine, Commands(("hook",), ("server",), "linux"), "."))
    names = [os.path.normpath(part.file).replace(os.sep, "/") for part in parts]
    return [f"`{name}`" for name in dict.fromkeys(names)]
