"""The library: `Memory`, one workspace's memory for a Python program; the same engine and gate as the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, cast, overload

from muniment import config
from muniment.engine import asking
from muniment.engine.core import Caller, Engine, Settings
from muniment.engine.telemetry import CONTENT, CREATE, DELETE, SEARCH, UPDATE, UPSERT, spanned
from muniment.errors import NotFoundError, UsageError
from muniment.model.event import Origin
from muniment.model.scope import workspace_of

if TYPE_CHECKING:
    from muniment.engine.answering import Finding, Hit
    from muniment.engine.blasting import Blast
    from muniment.engine.bundles import Bundled, Unpacked
    from muniment.engine.commanding import Admission
    from muniment.engine.comparing import Conflicts, Similar
    from muniment.engine.differing import Diff
    from muniment.engine.drift import Drifts
    from muniment.engine.erasing import Certificate
    from muniment.engine.evidence import Report
    from muniment.engine.forgetting import Outlook
    from muniment.engine.getting import Got
    from muniment.engine.healthy import Health
    from muniment.engine.indexing import IndexReport
    from muniment.engine.ingesting import IngestReport
    from muniment.engine.loading_rules import RulesReport
    from muniment.engine.paging import PagesReport
    from muniment.engine.receipts import Record
    from muniment.engine.reviewing import Review
    from muniment.engine.revising import Words
    from muniment.engine.scoped import Scoped
    from muniment.engine.suggesting import SuggestReport
    from muniment.engine.taking_over import MemoryReport
    from muniment.engine.telling import Extract
    from muniment.engine.trajectories import TrajectoryReport
    from muniment.engine.transfer import ExportReport, LoadReport
    from muniment.engine.upkeep import Verification
    from muniment.model.belief import History, Why

Path_ = str | os.PathLike[str]
Progress = Callable[[int, int, str], None]


class Memory:
    """The memory of one workspace. Open it with `Memory.open`, close it or use it in a `with` block."""

    def __init__(self, engine: Engine, caller: Caller, *, may_vouch: bool = True) -> None:
        self._open: Engine | None = engine
        self._caller = caller
        self._may_vouch = may_vouch
        self._wrote = False

    @property
    def _writing(self) -> Engine:
        """The engine, for what may change what is remembered."""
        self._wrote = True
        return self._engine

    @property
    def _engine(self) -> Engine:
        if self._open is None:
            raise UsageError("this memory is closed", hint="open it again with Memory.open")
        return self._open

    @property
    def store_name(self) -> str:
        """What this memory's store is called: the id of its workspace."""
        return self._engine.workspace.id

    @property
    def spans_tell(self) -> bool:
        """May spans hold what was asked and said? Only where the variable of OpenTelemetry's conventions says so."""
        return os.environ.get(CONTENT, "").lower() == "true"

    @classmethod
    def open(
        cls, path: Path_ = ".", home: Path_ | None = None, on_error: str = "raise", *, vouch: str | None = None,
        zone: str | None = None, store: str | None = None,
    ) -> Self:  # fmt: skip
        """The memory of the project around `path`. `home`: where memories live (default MUNIMENT_HOME, else the user's
        data folder). `store`: the address of a PostgreSQL server that holds it instead (default MUNIMENT_STORE, else what
        the configuration names). What the program states has origin import, unless it vouches (`vouch="person"`) that a
        person said it, which is recorded. Nothing is made on disk before the first write.

        `on_error="degrade"`: for a host that must run on. Opening never raises; while the store cannot be used, reads are
        empty and say why (`reason`), writes are refused or kept for later and say so (docs/how-to/run-on.md).
        """
        made = partial(cls._made, path, home, vouch, zone, store)
        if on_error == "degrade":
            from muniment.engine.careful import careful

            return cast("Self", careful(cls)(made))  # type: ignore[arg-type]
        if on_error != "raise":
            raise UsageError(f"on_error={on_error!r} makes no sense", hint="'raise', or 'degrade'", about="on_error")
        engine, caller, may_vouch = made()
        return cls(engine, caller, may_vouch=may_vouch)

    @staticmethod
    def _made(
        path: Path_, home: Path_ | None, vouch: str | None, zone: str | None, store: str | None
    ) -> tuple[Engine, Caller, bool]:
        if vouch not in (None, "person"):
            raise UsageError(f"vouch={vouch!r} makes no sense", hint="a program may vouch for a 'person'")
        folder = os.fspath(path)
        if not os.path.isdir(folder):
            raise NotFoundError(f"no such folder: {folder}", hint="path is a folder of the project", about=folder)
        settings = config.read(os.environ, Path.home(), sys.platform, home=home, zone=zone)
        is_person = vouch is not None and settings.caller is None
        caller = Caller(Origin.PERSON, "library") if is_person else Caller(Origin(settings.caller or "import"))
        server, seams = (
            config.server(settings.home, os.environ, store),
            config.seams(settings.home, os.environ, Path.home()),
        )
        given = Settings(settings.home, settings.zone, server=server, **seams)
        return Engine(workspace_of(folder), given), caller, settings.caller is None

    def close(self) -> None:
        """Let go of the store. Harmless when closed already."""
        if self._open is not None:
            self._render(self._open)
            self._open.close()
            self._open = None

    def _render(self, engine: Engine) -> None:
        """Files that show what is remembered are rendered again, where `muniment init` wrote any and something changed."""
        home = os.fspath(engine.settings.home)
        if self._wrote and os.path.exists(os.path.join(home, "setup", "views.json")):
            from muniment.engine import viewing
            from muniment.harness import views

            views.refresh(home, engine.workspace.id, lambda: viewing.wake(engine))
        if self._wrote and os.path.exists(os.path.join(home, "setup", "rules.json")):
            from muniment.engine.ruling import Ruler
            from muniment.harness import rulefile

            rulefile.refresh(Ruler(engine))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- looking

    @spanned(SEARCH)
    def query(
        self, selector: str = "", budget: int = asking.DEFAULT_BUDGET, *, as_of: str | None = None,
        known: str | None = None, cursor: str | None = None, session: str | None = None,
    ) -> asking.Answer:  # fmt: skip
        """The facts that are still true and match, best first, in at most `budget` bytes of UTF-8. With `session`, what
        it is given goes to the journal, and `unseen:SESSION` leaves it out from then on."""
        _demand_text(selector=selector)
        _demand_text_or_none(as_of=as_of, known=known, cursor=cursor, session=session)
        _demand_number(budget=budget)
        answer = asking.query(self._engine, selector, budget, as_of=as_of, known=known, cursor=cursor)
        self._deliver(session, selector, answer, answer.bytes)
        return answer

    @spanned(SEARCH)
    def search(  # noqa: PLR0913 - a question has one side that must be given, and many that may be
        self, words: str = "", budget: int = asking.DEFAULT_BUDGET, limit: int | None = None, *,
        cursor: str | None = None, include: Sequence[str] = (), explain: bool = False, why_not: str | None = None,
        floor: bool = True, unseen: str | None = None, session: str | None = None, turns: bool = False,
        without: Sequence[str] = (), fusion: Literal["weighted", "rrf"] = "weighted",
    ) -> Finding:  # fmt: skip
        """What was said and what is known that answers a question in words, best first, within `budget` bytes and
        `limit` hits (default 10); `reason` and `nearest` say why where nothing does.

        `include`: hypothesis, superseded. `floor=False` shows what came closest, however far off. `unseen`: leave out what
        that session received; `session`: note what it receives now. `turns`: show source turns too. `explain` and `why_not`
        (an id or a receipt) fill the fields of that name. For measuring: `without` parts of a search (docs/explanation/
        search.md names them), and `fusion` by places alone (rrf).
        """
        from dataclasses import replace

        from muniment.engine import searching

        _demand_text(words=words, fusion=fusion)
        _demand_text_or_none(cursor=cursor, why_not=why_not, unseen=unseen, session=session)
        _demand_number(budget=budget, **({} if limit is None else {"limit": limit}))
        how = searching.Asking(
            budget, limit, cursor, _names(include=include), explain, why_not, floor, unseen,
            without=_names(without=without), fusion=fusion,
        )  # fmt: skip
        finding = searching.search(self._engine, words, how)
        if turns:
            from muniment.engine import turning

            finding = turning.with_turns(self._engine, finding, words.split())
        warnings = self._deliver(session, words, (*finding.hits, *finding.turns), finding.bytes)
        return replace(finding, warnings=(*finding.warnings, *warnings)) if warnings else finding

    def _deliver(self, session: str | None, asked: str, hits: Iterable[Hit], size: int) -> tuple[str, ...]:
        if session is None:
            return ()
        from muniment.engine import deliveries

        rows = [("" if hit.kind == "event" else hit.id, hit.receipt) for hit in hits]
        return deliveries.deliver(self._engine, session, "library", asked, rows, size)

    def list(self, type: str, budget: int = asking.DEFAULT_BUDGET) -> asking.Answer:
        """Everything of one type."""
        _demand_text(type=type)
        return self.query(f"type:{type}", budget)

    @spanned(SEARCH)
    def get(self, words: str, budget: int = asking.DEFAULT_BUDGET, limit: int = 10) -> Got:
        """Statements that a few words lead to, best first (docs/explanation/getting.md has the profile). What is returned
        is noted as used, beside the store; it makes no fact newer."""
        from muniment.engine import getting

        _demand_text(words=words)
        _demand_number(budget=budget, limit=limit)
        return getting.get(self._engine, words, budget, limit)

    def conflicts(self, text: str) -> Conflicts:
        """What holds against a text: `answer` is POTENTIAL_CONFLICTS or NO_CONFLICTS, `pairs` and `choices` say more."""
        from muniment.engine import comparing

        _demand_text(text=text)
        return comparing.conflicts(self._engine, text)

    def similar(self, text: str, threshold: float = 0.10, *, type: str | None = None) -> Similar:
        """What shares at least so much of its words with a text: `answer` is SIMILAR_ENTRIES or NONE."""
        from muniment.engine import comparing

        _demand_text(text=text)
        return comparing.similar(self._engine, text, threshold, type)

    def read(self, id: str, context: int = 0, *, cursor: int = 0) -> Record:
        """Open an id or a receipt: the exact words, `context` events on each side, and whether every hash holds."""
        from muniment.engine import receipts

        _demand_text(id=id)
        _demand_number(context=context, cursor=cursor)
        return receipts.read(self._engine, id, context, cursor=cursor)

    def history(self, id: str) -> History:
        """All that was said under the fact's key, and what became of it."""
        from muniment.engine import history

        _demand_text(id=id)
        return history.history(self._engine, id)

    def why(self, id: str) -> Why:
        """Where a fact comes from, what it met, and the numbers of its rank."""
        from muniment.engine import history

        _demand_text(id=id)
        return history.why(self._engine, id)

    def blast(
        self, id: str | None = None, *, session: str | None = None, source: str | None = None, origin: str | None = None
    ) -> Blast:
        """How far a fact reached, or all that came from a session, a source or an origin: what derives from it, which sessions
        were given it in answer to what, what it was used for, and which files were touched there afterwards."""
        from muniment.engine import blasting

        _demand_text_or_none(id=id, session=session, source=source, origin=origin)
        return blasting.blast(self._engine, id, session=session, source=source, origin=origin)

    def diff(self, start: str, end: str, selector: str = "") -> Diff:
        """What changed in what we believe between two moments: new, gone and changed statements (of a selector)."""
        from muniment.engine import differing

        _demand_text(start=start, end=end, selector=selector)
        return differing.diff(self._engine, start, end, selector)

    def scoped(self, profile: str) -> Scoped:
        """What a profile grants of this memory, as SQL: `scoped(profile).sql("SELECT ...")` gives columns, rows and whether a
        limit cut them. Nothing is written (docs/how-to/ask-with-sql.md)."""
        from muniment.engine import scoped

        _demand_text(profile=profile)
        return scoped.scoped(self._engine, profile)

    def view(  # noqa: PLR0913 - one for all views; each takes a few of them
        self, name: str, budget: int = asking.DEFAULT_BUDGET, *, at: str | None = None, what: str | None = None,
        agent: str | None = None, session: str | None = None, action: str | None = None, tool: str | None = None,
        by: Sequence[str] | None = None,
    ) -> str:  # fmt: skip
        """A view as text within `budget` bytes: `wake`, `handoff` (of a `session`), `timeline`, `trace` (who did what, of an
        `agent`, `session`, `action` or `tool`), `touched` (who touched the file `what`), `usage` (tokens and cost, `by` day,
        model, ...). `at` a time, where a view has one."""
        from muniment.engine import projecting

        _demand_number(budget=budget)
        words = {"at": at, "what": what, "agent": agent, "session": session, "action": action, "tool": tool}
        _demand_text_or_none(name=name, **words)
        return projecting.text(self._engine, name, budget, {**words, "by": None if by is None else _names(by=by)})

    # -- writing

    @spanned(UPSERT)
    def index(
        self, paths: Path_ | Iterable[Path_] | None = None, progress: Progress | None = None, *, adopt: bool = False
    ) -> IndexReport:
        """Read transcripts under `paths` (one path, or several), else where harnesses keep them; `progress` is called
        with (done, of, file).

        NotFoundError if there are none, NothingChangedError if nothing of them ever belonged to this workspace.
        """
        from muniment.engine import indexing

        named = _named(paths)
        variables = {
            **os.environ,
            "PWD": str(self._engine.workspace.root),
        }  # some harnesses keep their logs in the project
        found, unclaimed = indexing.sources(named, Path.home(), variables, sys.platform)
        report = indexing.index(self._writing, found, named=bool(named), adopt=adopt, progress=progress)
        report.unclaimed.extend(unclaimed)
        indexing.demand_effect(report, self._engine.workspace.root)
        return report

    @spanned(UPSERT)
    def ingest(
        self, turns: Path_ | Iterable[Any], trust: str = "conversation", progress: Progress | None = None
    ) -> IngestReport:
        """Take in a conversation: turns with `session`, `text`, `speaker` or `role`, and if known `seq` and `at`, or the
        path of a file with one as JSON a line. `trust="conversation"`: the program's owner vouches for the roles, so a
        user's turns are a person's words and an assistant's a model's; `"import"`: nobody does.

        Bad turns are counted by reason (read = kept + skipped); NothingChangedError if nothing was new.
        """
        from muniment.engine import ingesting

        _demand_text(trust=trust)
        source = _path(turns) if isinstance(turns, str | os.PathLike) else turns
        vouch = self._may_vouch
        return ingesting.ingest(self._writing, self._caller, source, trust, may_vouch=vouch, progress=progress)

    @spanned(CREATE)
    def add(  # noqa: PLR0913 - a statement has that many sides, and only two must be given
        self, type: str, content: str, source: str | None = None, tags: Sequence[str] = (), *, topic: str = "",
        subject: str | None = None, predicate: str | None = None, source_url: str | None = None, context: str = "",
        quote: str | None = None, evidence: Sequence[str] = (), expires: str | None = None, since: str | None = None,
        until: str | None = None, unsure: bool = False, session: str | None = None, if_clear: bool = False,
        derives: Sequence[str] = (),
    ) -> Admission:  # fmt: skip
        """State one fact. `source` says who it is from, as far as the caller's channel allows. The answer names ids, what
        the statement supersedes and contradicts, and the `pairs` that the writer has to decide about.

        `quote`: words of a `session` that hold the content; they are the receipt. `if_clear`: ConflictError, and nothing
        written, where something stands against it. `derives`: ids of the facts that it rests on; doubt about one of them
        makes it suspect.
        """
        from dataclasses import replace

        from muniment.engine import adding, lineage, stating, wording

        caller, warning = wording.sourced(self._caller, source)
        engine = self._writing
        statement = stating.Statement(
            type, content, subject, predicate, topic, tags, source_url, context,
            [*evidence, *lineage.addresses(engine, _names(derives=derives))],
            "hypothesis" if unsure else "confirmed", wording.start(engine, since), wording.end(engine, until),
            wording.end(engine, expires),
        )  # fmt: skip
        admission = adding.add(engine, caller, statement, adding.How(quote, session, if_clear))
        return replace(admission, warnings=(*admission.warnings, warning)) if warning else admission

    @spanned(UPDATE)
    def revise(
        self, id: str, action: str, *, claim: str | None = None, reason: str = "", new_id: str | None = None,
        tags: Sequence[str] = (), at: str | None = None,
    ) -> Admission:  # fmt: skip
        """confirm, suspect, retract, restore, pin, unpin, expire (`at` a time, else now); correct (with `claim` and
        `reason`); supersede (with `new_id`); success, failure, touch (noted, nothing changes). What only a person may do
        becomes a proposal: the outcome is `proposed`."""
        from muniment.engine.revising import Words

        return self._revise(id, action, Words(claim or "", new_id or "", reason, tags, value=at or ""))

    @spanned(UPDATE)
    def update(self, id: str, field: str, value: str, *, reason: str = "") -> Admission:
        """Give a fact other tags (separated by commas), another topic, context, expiry (a time, or `never`) or confidence
        (`sure`, `uncertain`). Its words never change."""
        from muniment.engine.revising import Words

        _demand_text(field=field, value=value)
        return self._revise(id, "update", Words(field=field, value=value, reason=reason))

    def _revise(self, id: str, action: str, words: Words) -> Admission:
        from muniment.engine import revising

        _demand_text(id=id, action=action)
        return revising.revise(self._writing, self._caller, id, action, words)

    @spanned(DELETE)
    def retract_source(self, source: str, *, reason: str = "", dry_run: bool = False) -> Admission:
        """Retract all that came from a session, a URL or an origin; with `dry_run` only name it."""
        from muniment.engine import sources

        _demand_text(source=source)
        return sources.retract(self._writing, self._caller, source, reason, dry_run=dry_run)

    @spanned(DELETE)
    def forget(  # noqa: PLR0913 - one of six says what is meant
        self, id: str | None = None, *, match: str | None = None, session: str | None = None, source: str | None = None,
        subject: str | None = None, expired: bool = False, erase: bool = False, dry_run: bool = False,
        everywhere: bool = False, reason: str = "",
    ) -> Admission | Certificate | Outlook:  # fmt: skip
        """Hide what one of `id` (a fact's, or a receipt), `match` (words), `session`, `source` or `subject` means, until
        `restore`; or expire what is older than `[retention]` in config.toml says (`expired`). With `erase` remove it for
        good, with `everywhere` from all stores of the home: a certificate tells what went. `dry_run` only tells what it
        would do. Only a program that vouches for a person erases."""
        from muniment.engine import forgetting

        words = {"id": id, "match": match, "session": session, "source": source, "subject": subject}
        _demand_text_or_none(**words)
        given = [forgetting.Target(how, what) for how, what in words.items() if what is not None]
        given += [forgetting.Target("expired", "")] if expired else []
        if len(given) != 1:
            raise UsageError("forget what?", hint="one of id, match, session, source, subject, expired", about="forget")
        if not erase:
            hide = forgetting.expire if expired else forgetting.hide
            return hide(self._writing, self._caller, given[0], reason, dry_run=dry_run)
        if dry_run:
            return forgetting.outlook(self._engine, self._caller, given[0])
        return forgetting.erase(self._writing, self._caller, given[0], everywhere=everywhere)

    def suspect_source(self, source: str, *, reason: str = "", dry_run: bool = False) -> Admission:
        """Mark all that came from a session, a URL or an origin as doubtful; with `dry_run` only name it."""
        from muniment.engine import sources
        from muniment.model.fact import Action

        _demand_text(source=source)
        act = Action.SUSPECT
        return sources.retract(self._writing, self._caller, source, reason, dry_run=dry_run, action=act)

    def restore_source(self, source: str, *, reason: str = "", dry_run: bool = False) -> Admission:
        """Take back what was decided about all of a source: everything stands as it would have without it."""
        from muniment.engine import sources

        _demand_text(source=source)
        return sources.restore(self._writing, self._caller, source, reason, dry_run=dry_run)

    def review(self, *, everything: bool = False, state: str = "open") -> Review:
        """What waits for a person, the most pressing first; no more than the day still takes, unless `everything`."""
        from muniment.engine import reviewing

        return reviewing.review(self._engine, everything=everything, state=state)

    def decide(self, proposal: str, decision: str, *, reason: str = "") -> Admission:
        """accept, decline or undo a proposal; only where the program vouches for a person."""
        from muniment.engine import reviewing

        _demand_text(proposal=proposal, decision=decision)
        if decision == "decline":
            return reviewing.decline(self._writing, self._caller, proposal, reason)
        if decision not in ("accept", "undo"):
            raise UsageError(f"unknown decision {decision!r}", hint="accept, decline, undo", about=decision)
        return (reviewing.accept if decision == "accept" else reviewing.undo)(self._writing, self._caller, proposal)

    def extract(self, text: str, role: str = "user", *, previous: str = "") -> Sequence[Extract]:
        """What would be drawn from a person's turn, in the order of its words; nothing is kept. `previous` is the
        assistant's turn before it, in which `corrects` names the claim that a correction is about."""
        from muniment.engine import telling

        _demand_text(text=text, role=role, previous=previous)
        return telling.extract(text, role, previous)

    def suggest(self, session: str | None = None, progress: Progress | None = None) -> SuggestReport:
        """Let the model that `[model]` in config.toml names point at statements in turns (of a session, or all) that were not
        shown to it yet. What it quotes from them becomes a proposal and waits in `review`; no model writes a fact."""
        from muniment.engine import suggesting

        _demand_text_or_none(session=session)
        return suggesting.suggest(self._writing, session, progress)

    # -- keeping

    def check(self, since: str | None = None) -> Report:
        """Look at the evidence of all facts (with `since`: what changed after that commit): what leans on something that
        changed or is gone becomes suspect, and nothing is deleted."""
        from muniment.engine import evidence

        _demand_text_or_none(since=since)
        return evidence.check(self._writing, since)

    def drifts(self, most: int = 200) -> Drifts:
        """What is in doubt because of its evidence: facts, what changed there, and who did it."""
        from muniment.engine import drift

        _demand_number(most=most)
        return drift.drifts(self._engine, most)

    def healthy(self) -> Health:
        """Four lights, each proved now (installed, reachable, storing, recalled), when memory last worked, and what waits."""
        from muniment.engine import healthy

        return healthy.healthy(self._engine)

    def verify(self, rebuild: bool = False, progress: Progress | None = None) -> Verification:
        """Check every hash and the store's shape; with `rebuild`, derive everything again and compare."""
        from muniment.engine import upkeep

        return upkeep.verify(self._engine, rebuild=rebuild, progress=progress)

    @overload
    def export(self, format: Literal["jsonl"], path: Path_) -> ExportReport: ...

    @overload
    def export(
        self, format: Literal["atif"], path: Path_, *, session: str | None = None, version: str = "1.7"
    ) -> TrajectoryReport: ...

    @overload
    def export(self, format: Literal["okf", "memoryfield"], path: Path_, *, folder: Path_ | None = None) -> Bundled: ...

    def export(
        self, format: str, path: Path_, *, session: str | None = None, version: str = "1.7", folder: Path_ | None = None
    ) -> ExportReport | TrajectoryReport | Bundled:
        """Write the memory to a file: `jsonl` is lossless. `atif` writes a session as a trajectory, in `version` 1.7 or
        1.8, or without a `session` all of them into a folder. `okf` and `memoryfield`: the pages of a `folder`."""
        from muniment.engine import trajectories, transfer

        _demand_text_or_none(session=session)
        _demand_format(format, "jsonl", "atif", "okf", "memoryfield")
        if format in ("okf", "memoryfield"):
            from muniment.engine import bundles

            return bundles.export(self._engine, format, Path(path), Path(folder) if folder is not None else None)
        if format == "atif":
            return trajectories.export_atif(self._engine, Path(path), session, version)
        return transfer.export_jsonl(self._engine, Path(path))

    def pages(self, folder: Path_ | None = None) -> PagesReport:
        """Read the Markdown pages of a folder of the project (default `memory`): the file wins. NothingChangedError if all
        of them are as they were."""
        from muniment.engine import paging

        return paging.index(self._writing, Path(folder) if folder is not None else None)

    @overload
    def load(self, format: Literal["rules"], path: Path_ | None = None) -> RulesReport: ...
    @overload
    def load(self, format: Literal["memory-json"], path: Path_, *, trust: str | None = None) -> MemoryReport: ...
    @overload
    def load(self, format: Literal["atif"], path: Path_, *, trust: str | None = None) -> IngestReport: ...
    @overload
    def load(self, format: Literal["okf", "memoryfield"], path: Path_, *, folder: Path_ | None = None) -> Unpacked: ...
    @overload
    def load(self, format: Literal["jsonl"], path: Path_) -> LoadReport: ...

    def load(
        self, format: str, path: Path_ | None = None, *, trust: str | None = None, folder: Path_ | None = None
    ) -> LoadReport | RulesReport | MemoryReport | IngestReport | Unpacked:
        """Take in a file. `jsonl`: what `export` wrote, the union of both memories (ScopeError unless the program vouches
        for a person). `atif`: trajectories, a file or a folder of them. `rules`: instruction files (one, or a folder; none:
        those of the workspace), as proposals. `memory-json`: the store of a memory.sh skill. `trust` says who
        answers for roles and sources (`conversation`: the program vouches; `import`: nobody).
        `okf`, `memoryfield`: bundles of pages, into a `folder`."""
        _demand_format(format, "jsonl", "atif", "rules", "memory-json", "okf", "memoryfield")
        if format == "rules":
            from muniment.engine import loading_rules

            return loading_rules.load(self._writing, [Path(path)] if path is not None else [])
        if path is None:
            raise UsageError(f"load {format!r} needs a path", about="path")
        if format in ("okf", "memoryfield"):
            from muniment.engine import bundles

            return bundles.load(self._writing, format, Path(path), Path(folder) if folder is not None else None)
        if format == "jsonl":
            from muniment.engine import transfer

            transfer.demand_person(self._caller)
            return transfer.load_jsonl(self._writing, Path(path))
        return self._load_of_others(format, Path(path), trust)

    def _load_of_others(self, format: str, path: Path, trust: str | None) -> IngestReport | MemoryReport:
        from muniment.engine import retracing, taking_over

        is_person = self._caller.origin == Origin.PERSON
        if format == "atif":
            given = trust or "conversation"
            return retracing.load_atif(self._writing, self._caller, path, given, may_vouch=self._may_vouch)
        given = trust or ("conversation" if is_person else "import")
        return taking_over.load(self._writing, self._caller, path, given, may_vouch=is_person)


def _demand_format(format: str, *known: str) -> None:
    if format not in known:
        raise UsageError(f"unknown format {format!r}", hint=f"formats: {', '.join(known)}", about=format)


def _named(paths: object) -> list[Path]:
    """One path is one path: a text must not be taken for a list of its characters, of which one may be "/"."""
    if paths is None:
        return []
    is_list = isinstance(paths, Iterable) and not isinstance(paths, str | bytes | os.PathLike)
    return [_path(path) for path in (paths if isinstance(paths, Iterable) and is_list else [paths])]


def _path(path: object) -> Path:
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(text, str):
        raise UsageError(f"paths: not a path: {path!r}", hint="give a path, or a list of paths", about="paths")
    return Path(os.path.abspath(text))


def _names(**arguments: object) -> tuple[str, ...]:
    """One list of names; a text would be taken for the list of its letters."""
    ((name, value),) = arguments.items()
    listed = list(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes) else [value, None]
    if not all(isinstance(each, str) for each in listed):
        raise UsageError(f"{name} must be a list of texts, not {value!r}", about=name)
    return tuple(str(each) for each in listed)


def _demand_text(**arguments: object) -> None:
    for name, value in arguments.items():
        if not isinstance(value, str):
            raise UsageError(f"{name} must be a text, not {value!r}", about=name)


def _demand_text_or_none(**arguments: object) -> None:
    _demand_text(**{name: value for name, value in arguments.items() if value is not None})


def _demand_number(**arguments: object) -> None:
    for name, value in arguments.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise UsageError(f"{name} must be a whole number, not {value!r}", about=name)
