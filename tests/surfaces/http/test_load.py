"""Many at once, and a server that dies or is asked to go while it works."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from tests.surfaces.conftest import Terminal
from tests.surfaces.http.served import Served, process
from tests.surfaces.test_json_shapes import misfits

from muniment import Memory
from muniment.errors import EndpointError

CLIENTS = 8


def _write(served: Served, name: str, done: list[str], until: float, times: int) -> None:
    """State one thing after the other until that was done so often, the time is over or the server is gone; what was
    acknowledged is noted."""
    with served.memory() as memory:
        served.clients.remove(memory)
        number = 0
        while time.monotonic() < until and number < times:
            number += 1
            try:
                done += memory.add("fact", f"writer {name} says {number}").ids
                memory.query("type:fact", 500)
            except EndpointError:
                return


def _together(served: Served, seconds: float, times: int = 1_000_000) -> tuple[list[threading.Thread], list[str]]:
    done: list[str] = []
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=_write, args=(served, str(n), done, until, times)) for n in range(CLIENTS)]
    for thread in threads:
        thread.start()
    return threads, done


def _kept(terminal: Terminal) -> set[str]:
    with Memory.open(terminal.project, home=terminal.memories) as memory:
        return {hit.id for hit in memory.query("type:fact", 10_000_000)}


def test_eight_clients_read_and_write_at_once_and_nothing_is_lost(terminal: Terminal) -> None:
    with process(terminal) as (served, _):
        threads, done = _together(served, 60, times=5)
        for thread in threads:
            thread.join(90)
    assert len(set(done)) == 5 * CLIENTS
    assert set(done) == _kept(terminal)


@pytest.mark.skipif(os.name != "posix", reason="kills a process by signal")
def test_a_server_that_is_killed_loses_nothing_that_it_acknowledged(terminal: Terminal) -> None:
    with process(terminal) as (served, server):
        threads, done = _together(served, 30)
        while len(done) < 20:
            time.sleep(0.01)
        server.send_signal(signal.SIGKILL)
        for thread in threads:
            thread.join(60)
    assert set(done) <= _kept(terminal)


@pytest.mark.skipif(os.name != "posix", reason="ends a process by signal")
def test_a_server_that_is_asked_to_go_finishes_what_it_works_at(terminal: Terminal, tmp_path: Path) -> None:
    turns = [{"session": "long", "seq": n, "role": "user", "text": f"turn {n}"} for n in range(1500)]
    with process(terminal) as (served, server):
        told: list[int] = []
        thread = threading.Thread(target=lambda: told.append(served.memory().ingest(turns).kept))
        thread.start()
        while not list(terminal.memories.rglob("memory.db")):
            time.sleep(0.01)
        server.send_signal(signal.SIGTERM)
        thread.join(60)
        assert server.wait(30) in (0, -signal.SIGTERM)
        for client in served.clients:
            client.close()
    assert told == [1500]


def test_a_key_is_given_out_at_the_command_line_and_opens_what_it_says(terminal: Terminal) -> None:
    token = terminal.ok("server", "key", "add", "ci", "--speaks", "agent", "--right", "read").out.strip()
    assert terminal.ok("server", "key", "list").out.startswith("ci\tagent\tread\t")
    for words in (("list",), ("add", "other"), ("remove", "other")):
        told = terminal.ok("server", "key", *words, "--json").json
        assert misfits(told, "Keys") == []
        assert bool(told["token"]) == (words[0] == "add")
    terminal.state("SQLite")
    with process(terminal, "--log", "json") as (served, _):
        assert served.ask("GET", "/v1/facts?selector=p:uses", token=token).status == 200
        assert served.ask("POST", "/v1/facts", {"type": "fact", "content": "x"}, token=token).status == 403
        assert terminal.ok("server", "key", "remove", "ci").out == "removed ci\n"
        assert served.ask("GET", "/v1/facts", token=token).status == 401
        tools = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        beside = served.ask("POST", "/mcp", tools, accept="application/json, text/event-stream")
        assert beside.status == 200
        assert served.ask("POST", "/mcp", tools, token=token).status == 401
    for words, code in (
        (("remove", "ci"), 3),
        (("add", "A b"), 2),
        (("add",), 2),
        (("add", "x", "--tenant", "gone"), 3),
    ):
        assert terminal.run("server", "key", *words).code == code, words
