"""What tools do, whatever their harness calls them: most harnesses share names, or differ in case and separators only.

A tool that is not known is `OTHER`: nothing is concluded from it. So is every tool of an MCP server, whose names are
anybody's, except our own server's, whose words are never anybody's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from muniment.capture.transcripts.contract import OWN_SERVER
from muniment.capture.transcripts.pieces import active, obj, reads_web, runs_own, spread
from muniment.model.event import Action, Argument, Span, TextBuilder

_KNOWN: Mapping[Action, str] = {
    Action.RUN: "bash shell sh zsh powershell terminal exec execute executecommand runcommand runcommands runshellcommand"
    " runterminalcmd runterminalcommand runinterminal runcommandinterminal launchprocess execcommand shellcommand"
    " executebash executeterminalcommand localshell runterminalcommandv2 executebashcommand runshell fsbash"
    " shelltool bashtool execbash runbash",
    Action.READ: "read readfile readfiles view viewfile viewcodeitem getfile openfile readfilev2 cat readmanyfiles"
    " fsread viewimage readtextfile readfiletool readnotebook notebookread viewfileoutline",
    Action.WRITE: "write writefile writetofile createfile create savefile newfile fswrite filewrite createnewfile"
    " writetextfile createtextfile writefilev2",
    Action.EDIT: "edit editfile replace strreplace strreplaceeditor searchreplace replaceinfile applydiff insertcontent"
    " replacestringinfile multireplacestringinfile inserteditintofile multiedit replacefilecontent editfilev2"
    " searchandreplace multireplacefilecontent insert edittool stringreplace editnotebook notebookedit"
    " singlefindandreplace editexistingfile multieditfile codeaction modifyfile replacelines",
    Action.PATCH: "applypatch patch patchfile",
    Action.DELETE: "delete deletefile removefile removefiles deletefiles deletepath",
    Action.MOVE: "move movefile movepath renamefile rename",
    Action.SEARCH: "grep rg glob ls list listdir listdirectory listfiles searchfiles filesearch findfiles codesearch"
    " grepsearch codebasesearch searchcodebase searchfilecontent semanticsearch findbyname findpath globfilesearch"
    " grepfiles findfilebyname listdirv2 ripgrep greptool globtool searchinfolder ripgreprawsearch listcodeusages"
    " searchbyregex viewfolder codebaseretrieval viewsubfolder fsgrep searchtool rggrep",
    Action.FETCH: "fetch webfetch fetchurl fetchwebpage readurlcontent websearch searchweb googlewebsearch webfetchtool"
    " openurl browse browseraction opensimplebrowser fetchwebpagetool browser",
    Action.DELEGATE: "task agent newtask spawnagent subagent runsubagent dispatchagent usesubagents delegate"
    " invokesubagent delegatetask startagent",
    Action.MESSAGE: "sendmessage writeagent sendinput",
    Action.PLAN: "todowrite todo updatetodolist updateplan managetodolist writetodos plan settodos updatetodo"
    " reportintent todoread addtasks updatetasks",
    Action.ASK: "askuser askuserquestion askfollowupquestion question askquestion requestuserinput",
}
_ACTIONS: Mapping[str, Action] = {name: action for action, names in _KNOWN.items() for name in names.split()}

_PATH = dict.fromkeys(
    "file_path filePath filepath absolute_path absolutePath AbsolutePath TargetFile target_file targetFile file"
    " relative_workspace_path relativePath relative_path path_in_project notebook_path filename dir_path directory"
    " DirectoryPath SearchPath SearchDirectory uri Path absolutePathToFile".split(),
    "path",
)
_CHANGE = {
    **_PATH,
    **dict.fromkeys("old_string oldString old_str oldStr old_text oldText TargetContent search find".split(), "old"),
    **dict.fromkeys("new_string newString new_str newStr new_text newText ReplacementContent replace".split(), "new"),
    **dict.fromkeys("file_text fileText contents CodeContent new_content newContent file_content".split(), "content"),
}
_NAMES: Mapping[Action, Mapping[str, str]] = {
    Action.RUN: {
        **dict.fromkeys("cmd command_line CommandLine commandLine script commands input bash_command".split(), "command"),
        **dict.fromkeys("workdir working_directory workingDirectory Cwd directory dir_path path".split(), "cwd"),
    },
    Action.READ: _PATH,
    Action.WRITE: _CHANGE,
    Action.EDIT: _CHANGE,
    Action.DELETE: _PATH,
    Action.MOVE: {**dict.fromkeys("source src from old_path oldPath".split(), "path"),
                  **dict.fromkeys("destination dest new_path newPath target".split(), "to")},
    Action.PATCH: dict.fromkeys("input patchText patch_text diff patchContent".split(), "patch"),
    Action.SEARCH: {**_PATH, **dict.fromkeys("query regex Query glob Pattern search_term file_pattern".split(), "pattern")},
    Action.FETCH: dict.fromkeys("uri Url href".split(), "url"),
    Action.DELEGATE: {**dict.fromkeys("subagent_type agent_type agent agentName mode agent_name".split(), "to"),
                      **dict.fromkeys("message task instructions Prompt".split(), "prompt")},
    Action.MESSAGE: {**dict.fromkeys("recipient agent_id id".split(), "to"),
                     **dict.fromkeys("message content".split(), "prompt")},
}  # fmt: skip
_MAIN: Mapping[Action, str] = {
    Action.RUN: "command", Action.PATCH: "patch", Action.READ: "path", Action.WRITE: "path", Action.EDIT: "path",
    Action.DELETE: "path",
}  # fmt: skip
# One tool for all file work: `command` says which.
_EDITORS = frozenset({"strreplaceeditor", "strreplacebasededittool", "texteditor", "fileeditor", "fswrite"})
# Servers whose tools are a harness's own.
_BUILT_IN = frozenset({"developer", "computercontroller", "functions", "builtin", "default", "local"})
_SEPARATORS = re.compile(r"__+|[-.:/]")
_OWN_TOOL = re.compile(rf"(?:^|[^a-z]){OWN_SERVER}(?:[^a-z]|$)")
# Some harnesses drop the server's name; these names are ours.
_OWN_TOOLS = frozenset("memory_query memory_search memory_read memory_assert memory_revise memory_sql".split())

OWN, WEB = "own", "web"
"""What is remembered of a call whose result is our own words, or a page's; else its action is."""


class Tool(NamedTuple):
    """What is known of a tool by its name."""

    action: Action
    about: str
    names: Mapping[str, str]


def plain(name: str) -> str:
    """The name without case and separators."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def known(name: str, given: Any = None, more: Mapping[str, Action] | None = None) -> Tool:
    """What a tool does; `more` are a harness's own names (plain) for it."""
    lowered = name.lower()
    if _OWN_TOOL.search(lowered) or lowered in _OWN_TOOLS:
        return Tool(Action.OTHER, OWN, {})
    server, _, rest = lowered.partition("__") if "__" in lowered else ("", "", lowered)
    if server and plain(server) not in _BUILT_IN:
        return Tool(Action.OTHER, WEB if reads_web(name) else Action.OTHER.value, {})
    key = plain(rest)
    action = (more or {}).get(key) or _ACTIONS.get(key, Action.OTHER)
    if key in _EDITORS:
        action = _ACTIONS.get(plain(str(obj(given).get("command"))), action)
    web = action is Action.FETCH or (action is Action.OTHER and reads_web(name))
    return Tool(action, WEB if web else action.value, _NAMES.get(action, {}))


def decoded(given: Any) -> Any:
    """Arguments that stand in the record as JSON text, as what they say; everything else as it is."""
    if not isinstance(given, str) or not given.lstrip().startswith(("{", "[")):
        return given
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return given


def arguments(tool: Tool, given: Any, into: TextBuilder) -> dict[str, Argument]:
    """A call's arguments under their well-known names, each string a span of the text."""
    given = decoded(given)
    if given is None:
        return {}
    main = _MAIN.get(tool.action)
    if not isinstance(given, dict):
        given = {main if main and isinstance(given, str) else "input": given}
    found = spread(given, into, tool.names)
    if main and not isinstance(found.get(main), Span):
        _lift(main, found)
    if tool.action is Action.PLAN:
        _take_up(found, given)
    return found


def _lift(main: str, found: dict[str, Argument]) -> None:
    """The main argument where it stands in a list: commands are one text, but of several files none is the one."""
    inner = [(key, span) for key, span in found.items() if isinstance(span, Span) and _is_of(main, key)]
    if not inner or (main != "command" and len(inner) > 1):
        return
    found[main] = Span(inner[0][1].start, inner[-1][1].end)


def _is_of(main: str, key: str) -> bool:
    head, _, rest = key.partition(".")
    last = key.rpartition(".")[2]
    if main == "command":
        return head == "command" and rest.isdigit()
    return main == "path" and (
        last in ("path", *_PATH) or (head in ("paths", "files", "file_paths") and rest.isdigit())
    )


def _take_up(found: dict[str, Argument], given: Mapping[str, Any]) -> None:
    for listed in ("todos", "plan", "items", "todoList", "todo_list"):
        for label in ("content", "step", "text", "title", "description"):
            if "active" not in found:
                active(found, given.get(listed), listed, label)


def remembered(tool: Tool, found: Mapping[str, Argument], text: str) -> str:
    """What has to be known of a call when its result comes."""
    command = found.get("command")
    if tool.action is Action.RUN and isinstance(command, Span) and runs_own(text[command.start : command.end]):
        return OWN
    return tool.about
