"""The reference page of the HTTP API, out of its table of routes and its codes."""


def page(made):
    from muniment.surfaces.http import problems, routes

    lines = [
        "# HTTP", "", made, "",
        "Each route calls the verb of [`Memory`](../how-to/use-from-python.md) that stands beside it. Arguments of a GET stand",
        "in the query, lists as a name given several times; those of other methods in a JSON object. `/openapi.json` has all",
        "types.", "",
        "| | | verb | needs | arguments |", "| --- | --- | --- | --- | --- |",
    ]  # fmt: skip
    for route in routes.ROUTES:
        given = ", ".join(f"`{name}`" for name in routes.parameters(route) if name not in routes.in_path(route))
        verb = f"{route.verb}().{route.then}" if route.then else route.verb
        lines.append(
            f"| {route.method} | `{routes.PREFIX}{route.path}` | `{verb}` | {route.needs} | {given or 'none'} |"
        )
    lines += [
        "", "A key that may *write* may read; one that may *own* may also use what reads and writes files of the server's",
        "machine.", "",
        "## Errors", "", f"`{problems.MEDIA_TYPE}` with `type`, `title`, `status`, `code`, `hint` and `about`.", "",
        "| status | codes |", "| --- | --- |",
    ]  # fmt: skip
    for status in sorted(set(problems.STATUS.values())):
        codes = ", ".join(f"`{code}`" for code, each in problems.STATUS.items() if each == status)
        lines.append(f"| {status} | {codes} |")
    return "\n".join(lines) + "\n"
