"""`muniment dense` as a person types it, with a model that is really there."""

from __future__ import annotations

from tests.surfaces.conftest import Terminal
from tests.surfaces.test_json_shapes import fits


def test_on_over_status_and_off(own_read_in: Terminal) -> None:
    assert own_read_in.ok("dense", "status").out.startswith("dense is off; ")
    made = fits(own_read_in, "dense", "on", "wordllama")
    assert made["on"]
    assert made["made"] == made["turns"] > 0
    assert own_read_in.ok("dense", "status").out == (
        f"active  wordllama l2-supercat-1, 256 numbers: {made['made']} vectors\n"
    )
    again = own_read_in.run("dense", "on")
    assert again.code == 3
    assert "every turn has its vector" in again.err
    over = fits(own_read_in, "dense", "on", "minilm")
    assert (over["made"], over["removed"]) == (made["made"], made["made"])
    assert fits(own_read_in, "verify", "--rebuild")["ok"]
    assert fits(own_read_in, "dense", "status")["waiting"] == 0
    assert fits(own_read_in, "doctor")["warnings"] == []
    assert own_read_in.ok("dense", "off").out.startswith(f"0 vectors made, {made['made']} removed\ndense is off; ")
    assert own_read_in.run("dense", "off").code == 3


def test_what_makes_no_sense_is_said_in_one_line(own_read_in: Terminal) -> None:
    for words, code, told in (
        (("dense", "on", "bert"), 2, "unknown embedding model 'bert'"),
        (("dense", "off", "minilm"), 2, "dense off takes no model"),
        (("dense", "sideways"), 2, "invalid choice"),
        (("dense", "on", "endpoint"), 2, "no embeddings endpoint is configured"),
    ):
        ran = own_read_in.run(*words)
        assert (ran.code, ran.out) == (code, "")
        assert told in ran.err


def test_a_server_that_is_not_there_is_one_clear_error(own_read_in: Terminal) -> None:
    config = own_read_in.memories / "config.toml"
    config.write_text('[embeddings]\nurl = "http://127.0.0.1:9/v1"\nmodel = "m"\n')
    ran = own_read_in.run("dense", "on", "endpoint")
    assert ran.code == 7
    assert "http://127.0.0.1:9/v1/embeddings cannot be asked" in ran.err
    assert own_read_in.ok("dense", "status").out.startswith("dense is off; ")
