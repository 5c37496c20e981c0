"""The four lights of each harness: looked at after setting up, kept, and shown by `doctor`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from muniment.engine import health
from muniment.errors import MunimentError
from muniment.harness import lights
from muniment.harness.contract import Harness
from muniment.harness.layers import Layer
from muniment.harness.lights import Lamp
from muniment.harness.planning import Change
from muniment.surfaces.cli.invocation import Invocation

_UNASKED = "no request of it was looked at; muniment init --offline --harness {} does"


def look(run: Invocation, chosen: Sequence[Harness], plan: Callable[[], list[Change]], how: str = "") -> list[Lamp]:
    """Look at everything that can be looked at, and keep it; all four lights of each harness. `how` is the way in which a
    harness is asked for its requests: offline, live, or not at all."""
    home, at = str(run.config.home), run.engine.now()
    changes, held = plan(), held_by(_doctor(run))
    fresh: list[Lamp] = []
    for each in chosen:
        fresh.append(lights.installed(each.name, changes, at))
        fresh.append(_storing(each.name, held, at))
        fresh += [lights.unproved(each.name, n, _UNASKED.format(each.name), at) for n in ("reachable", "recalled")]
        fresh += _probed(run, each, how, at)
    lights.save(home, fresh)
    known = lights.load(home)
    return [known[each.name, name] for each in chosen for name in lights.NAMES]


def _doctor(run: Invocation) -> Sequence[health.HarnessHealth]:
    try:
        return health.doctor(run.engine).harnesses
    except MunimentError:
        return ()


def held_by(found: Sequence[health.HarnessHealth]) -> dict[str, tuple[int, int]]:
    """Events and sessions of each harness that the store holds."""
    return {each.name: (each.events, each.sessions) for each in found}


def _storing(name: str, held: dict[str, tuple[int, int]], at: str) -> Lamp:
    events, sessions = held.get(name, (0, 0))
    if events:
        told = f"{events} events of {sessions} session{'s' * (sessions != 1)} in the store of this project"
        return Lamp(name, "storing", lights.ON, told, at)
    return lights.unproved(
        name, "storing", "no session of it was read in this project yet; muniment index reads them", at
    )


def _probed(run: Invocation, harness: Harness, how: str, at: str) -> list[Lamp]:
    if how == "offline":
        from muniment.surfaces.cli import probing

        return probing.probe(harness, at)
    if how == "live":
        from muniment.surfaces.cli import live_turn

        return live_turn.turn(run, harness, at)
    return []


def current(run: Invocation, found: Sequence[health.HarnessHealth]) -> list[Lamp]:
    """The lights as they were last seen, but for what stands in files and in the store: that is looked at again."""
    from muniment.harness import planning, registry, views
    from muniment.surfaces.cli import machine

    known, at = lights.load(str(run.config.home)), run.engine.now()
    site, held = machine.site(run, ""), held_by(found)
    for name in dict.fromkeys(name for name, _ in known if name in registry.HARNESSES):
        try:
            changes = planning.plan([registry.HARNESSES[name]], site, with_tools=machine.has_tools())
            written = {view.path for view in views.load(str(run.config.home)) if view.harness == name}
            own = [c for c in changes if not views.is_view(c) or (c.is_new and c.settings.path in written)]
            known[name, "installed"] = lights.installed(name, own, at)
        except MunimentError as problem:
            known[name, "installed"] = Lamp(name, "installed", lights.OUT, problem.message, at)
        if (now := _storing(name, held, at)).state == lights.ON or (name, "storing") not in known:
            known[name, "storing"] = now
    return sorted(known.values(), key=lambda lamp: (lamp.harness, lights.NAMES.index(lamp.name)))


def others(run: Invocation) -> list[Layer]:
    """Everything else on this machine that remembers for a harness."""
    from muniment.harness import layers, registry
    from muniment.surfaces.cli import machine

    return layers.find(machine.machine(), registry.HARNESSES, run.engine.workspace.root)


def warned(lamps: Sequence[Lamp], found: Sequence[Layer]) -> Iterator[str]:
    """What of it stands beside us: then two memories put text before one session."""
    ours = {lamp.harness for lamp in lamps}
    for layer in found:
        beside = "two memories are asked and shown there: keep one" if layer.harness in ours else "not beside us"
        yield f"!    {layer.harness} also has {layer.name} ({layer.where}); {beside}"


def told(lamps: Sequence[Lamp]) -> Iterator[str]:
    """The lights in lines: each that was looked at with its proof, those of a harness that nobody looked at together."""
    for name in dict.fromkeys(lamp.harness for lamp in lamps):
        own = [lamp for lamp in lamps if lamp.harness == name]
        for lamp in own:
            if lamp.state != lights.UNPROVED:
                sign = "on " if lamp.state == lights.ON else "OUT"
                yield f"{sign}  {name:<14} {lamp.name:<10} {lamp.proof} ({lamp.at[:16]}Z)"
        dark = [lamp for lamp in own if lamp.state == lights.UNPROVED]
        for why in dict.fromkeys(lamp.proof for lamp in dark):
            names = ", ".join(lamp.name for lamp in dark if lamp.proof == why)
            yield f"?    {name:<14} {names}: unproved, {why}"
