"""`bench hook`: six states of a store, every call a process, and none of them fails."""

from __future__ import annotations

from muniment.evals import hook, run


def test_every_state_is_measured_and_every_call_ends_well(tmp_path, monkeypatch):
    monkeypatch.setattr(hook, "LARGE_MB", 1)
    monkeypatch.setattr(hook, "WARM_UP", 0)
    found = run("hook", 300, tmp_path / "kept", {"limit": 2})
    metrics = found["metrics"]
    assert metrics["failed"] == 0
    assert 500 < metrics["answer_bytes"] <= 9_000
    assert {f"{state}_p95_ms" for state in hook._STATES} <= set(metrics)
    assert metrics["p50_ms"] == metrics["healthy_p50_ms"]
    assert found["parameters"]["large_mb"] == 1
