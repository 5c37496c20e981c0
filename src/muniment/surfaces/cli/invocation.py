"""One run of the command line: the words it was given, and what commands ask of it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from muniment import config
from muniment.engine.core import Caller, Engine, Settings
from muniment.errors import NotFoundError
from muniment.model.event import Origin
from muniment.model.scope import workspace_of
from muniment.surfaces.cli import caller as callers
from muniment.surfaces.cli import output


class Invocation:
    """The parsed words, the configuration, and the engine, opened when first asked for."""

    def __init__(self, words: argparse.Namespace) -> None:
        self.words = words
        self.json: bool = words.json
        self.config = config.read(
            os.environ, Path.home(), sys.platform, home=words.home, zone=words.zone, is_terminal=sys.stderr.isatty()
        )
        self._engine: Engine | None = None
        self._note = ""

    @property
    def engine(self) -> Engine:
        """The engine of the workspace around the given folder, or the current one."""
        if self._engine is None:
            self._engine = self.engine_at(config.server(self.config.home, os.environ))
        return self._engine

    def engine_at(self, server: str) -> Engine:
        """The engine of the folder that was asked for, over its file or over a server; who asks closes it."""
        folder = self.words.workspace or os.getcwd()
        if not os.path.isdir(folder):
            raise NotFoundError(f"no such folder: {folder}", hint="-C takes a folder of the project", about=folder)
        seams = config.seams(self.config.home, os.environ, Path.home())
        settings = Settings(self.config.home, self.config.zone, server=server, **seams)
        return Engine(workspace_of(folder), settings)

    def caller(self) -> Caller:
        """Who gives this command, by what is around us; a wish for less authority is granted."""
        sign = callers.agent_around(os.environ)
        origin = Origin.AGENT if sign else Origin.PERSON
        if self.config.caller == "import" or (self.config.caller == "agent" and not sign):
            origin, sign = Origin(self.config.caller), "MUNIMENT_CALLER says so"
        if origin != Origin.PERSON:
            self._note = f"muniment: recorded as the words of {origin} ({sign}), not of a person"
        return Caller(origin)

    def tell_caller(self) -> None:
        """Whose words were recorded, where those are not a person's: said once it is true, not where a verb was refused."""
        if self._note:
            output.say(self._note)

    def close(self) -> None:
        """Let go of the store."""
        if self._engine is not None:
            self._engine.close()
