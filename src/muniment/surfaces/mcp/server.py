"""The protocol's side: what is listed, what a call gives back, and which error a model may read.

The official kit speaks both eras of the protocol; schemas, checks and answers are ours, so that a model sees no byte twice.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import anyio
import anyio.to_thread
from mcp import types
from mcp.server import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from muniment.engine import viewing
from muniment.engine.calling import Calling, before
from muniment.engine.core import Engine
from muniment.engine.scoped import Scoped
from muniment.errors import MunimentError, NotFoundError
from muniment.harness import rulefile, views
from muniment.surfaces.mcp import answers, arguments
from muniment.surfaces.mcp.answers import Call
from muniment.surfaces.mcp.caller import Surroundings
from muniment.views.tools import ALONE, DEFAULT_BUDGET, INSTRUCTIONS, SQL, TOOLS, Tool

NAME = "muniment"
_TEXT = "text/plain"
_HOUR = 3_600_000
_JUST_NOW = 30.0
"""Minutes."""
_ACTION = {
    "busy": "memory is being written; call again in a moment",
    "not_found": "memory_search finds ids and receipts",
    "read_only": "nothing was written; go on without memory",
    "disk_full": "nothing was written; go on without memory",
    "damaged": "go on without memory; a person can run `muniment verify`",
    "newer_store": "go on without memory; muniment here is older than its store",
}
"""What a model can do about an error, where the hint of the error speaks to a person at a terminal."""
_EMPTY = "nothing found: nothing is remembered for this project yet\n"
"""Before the first reading there is no store; that is an answer and no failure."""
logger = logging.getLogger("muniment.mcp")

Context = ServerRequestContext[Any, Any]


class MemoryServer:
    """Tools and resources over one engine. Calls take turns: the engine is one connection."""

    def __init__(self, engine: Engine, surroundings: Surroundings, version: str, view: Scoped | None = None) -> None:
        self._engine, self._view = engine, view
        self._is_alone = view is not None and not view.profile.beside
        self._surroundings = surroundings
        self._turn = anyio.CapacityLimiter(1)
        listed = (*(() if self._is_alone else TOOLS), *(() if view is None else (SQL,)))
        self._tools = {tool.name: tool for tool in listed}
        self._listed = types.ListToolsResult(tools=[_published(tool) for tool in listed])
        self.protocol: Server[Any] = Server(
            NAME, version=version, title="muniment memory",
            instructions=ALONE if self._is_alone else INSTRUCTIONS,
            cache_hints={
                "tools/list": CacheHint(ttl_ms=_HOUR, scope="public"),
                "resources/list": CacheHint(ttl_ms=_HOUR, scope="public"),
                "resources/templates/list": CacheHint(ttl_ms=_HOUR, scope="public"),
                "prompts/list": CacheHint(ttl_ms=_HOUR, scope="public"),
                "server/discover": CacheHint(ttl_ms=_HOUR, scope="public"),
                "resources/read": CacheHint(ttl_ms=0, scope="private"),
            },
            on_list_tools=self._list_tools, on_call_tool=self._call_tool, on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates, on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
        )  # fmt: skip

    # -- tools

    async def _list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return self._listed

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in self._tools:
            raise MCPError(
                code=types.INVALID_PARAMS, message=f"no tool {params.name}; there are {', '.join(self._tools)}"
            )
        client, meta = _client(context), dict(context.meta or {})
        return await anyio.to_thread.run_sync(
            lambda: self.answer(params.name, params.arguments or {}, client, meta), limiter=self._turn
        )

    def answer(
        self, name: str, given: Mapping[str, Any], client: str | None = None, meta: Mapping[str, Any] | None = None
    ) -> types.CallToolResult:
        """The result of one call. What a model can mend is said to it; what is our defect is said in one line."""
        told = meta or {}
        try:
            call = Call(
                arguments.checked(self._tools[name], given), self._surroundings.session(client, told),
                lambda: self._calling(client, told),
            )  # fmt: skip
            if name == SQL.name and self._view is not None:
                reply = answers.table(self._view, call.arguments["query"])
            else:
                reply = answers.HANDLERS[name](self._engine, call)
        except MunimentError as problem:
            if problem.about == str(self._engine.path) and problem.code == NotFoundError.code:
                return _result(_EMPTY, is_error=not self._tools[name].reads)
            return _result(_wording(problem), is_error=True)
        except Exception:  # the last line of defence: the model goes on, the log has the whole
            logger.exception("%s failed", name)
            return _result("error: a defect of muniment; go on without memory", is_error=True)
        if not self._tools[name].reads:
            self._render()
        return _result(reply.text, cursor=reply.cursor)

    def _render(self) -> None:
        """Files that show what is remembered are rendered again, where `muniment init` wrote any."""
        home = os.fspath(self._engine.settings.home)
        if views.exist(home):
            views.refresh(home, self._engine.workspace.id, lambda: viewing.wake(self._engine))
        if rulefile.exist(home):
            from muniment.engine.ruling import Ruler

            rulefile.refresh(Ruler(self._engine))

    def _calling(self, client: str | None, meta: Mapping[str, Any]) -> Calling:
        """The caller; of a server that serves for days, a session is live that said something just now."""
        found = self._surroundings.calling(client, meta)
        return found if found.since else replace(found, since=before(self._engine.now(), _JUST_NOW))

    # -- resources: the same records for clients that show them; each is reachable by a tool as well

    async def _list_resources(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        if self._is_alone:
            return types.ListResourcesResult(resources=[])
        wake = types.Resource(
            uri="memory://wake", name="wake", title="Where work stands", mime_type=_TEXT,
            description="What a new session should know: decisions in force, what was done last, open ends.",
        )  # fmt: skip
        return types.ListResourcesResult(resources=[wake])

    async def _list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        if self._is_alone:
            return types.ListResourceTemplatesResult(resource_templates=[])
        made = [
            types.ResourceTemplate(
                uri_template=f"memory://{kind}/{{id}}", name=kind, title=title, mime_type=_TEXT, description=told
            )
            for kind, title, told in (
                ("fact", "A fact", "A fact by its id, with the words that it rests on."),
                ("receipt", "A receipt", "The exact words at session:seq or session:seq@start-end."),
            )
        ]
        return types.ListResourceTemplatesResult(resource_templates=made)

    async def _list_prompts(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """None, and said so: some clients ask whatever the server announced."""
        return types.ListPromptsResult(prompts=[])

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri, session = str(params.uri), self._surroundings.session(_client(context), dict(context.meta or {}))
        try:
            text = await anyio.to_thread.run_sync(lambda: self.resource(uri, session), limiter=self._turn)
        except MunimentError as problem:
            data = {"uri": uri, "code": problem.code}
            raise MCPError(code=types.INVALID_PARAMS, message=_wording(problem), data=data) from problem
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, text=text, mime_type=_TEXT)])

    def resource(self, uri: str, session: str | None = None) -> str:
        """The text of a resource; NotFoundError if there is none of that name."""
        kind, _, name = uri.removeprefix("memory://").partition("/")
        if self._is_alone:
            raise NotFoundError(f"no resource {uri}", hint="the profile of this server grants memory_sql alone")
        if not uri.startswith("memory://") or (kind == "wake") == bool(name) or kind not in ("wake", "fact", "receipt"):
            raise NotFoundError(
                f"no resource {uri}", hint="there are memory://wake, memory://fact/ID, memory://receipt/R"
            )
        if kind == "wake":
            return viewing.wake(self._engine)
        read: dict[str, Any] = {"ids": [unquote(name)], "context": 1, "budget": DEFAULT_BUDGET}
        call = Call(read, session, lambda: self._calling(None, {}))
        return answers.HANDLERS["memory_read"](self._engine, call).text


def _published(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name, title=tool.title, description=tool.description, input_schema=tool.schema,
        annotations=types.ToolAnnotations.model_validate(tool.hints), _meta=dict(tool.meta),
    )  # fmt: skip


def _result(text: str, *, is_error: bool = False, cursor: str | None = None) -> types.CallToolResult:
    """One text and nothing beside it; the handle alone where no byte was asked for."""
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=text)] if text else []
    beside = {"cursor": cursor} if cursor and not text else None
    return types.CallToolResult(content=content, is_error=is_error, structured_content=beside)


def _wording(problem: MunimentError) -> str:
    """What went wrong and what to do about it, in two lines that a model can act on."""
    told = _ACTION.get(problem.code) or problem.hint
    return f"{problem.code}: {problem.message}\n" + (f"Do: {told}\n" if told else "")


def _client(context: Context) -> str | None:
    """How the client calls itself, in either era."""
    said = context.session.client_params
    return said.client_info.name if said is not None else None
