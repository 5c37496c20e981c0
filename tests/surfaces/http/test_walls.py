"""What is refused before any verb is asked, and what a key opens."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest
from tests.surfaces.http.served import TOKEN, Served, serving

from muniment.errors import ConflictError, NotFoundError, UsageError
from muniment.surfaces.http import keys
from muniment.surfaces.http.guard import Limits

FACT = {"type": "fact", "content": "The API port is 8080"}


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"host": "evil.example"}, 421, "foreign_host"),
        ({"host": "127.0.0.1.evil.example"}, 421, "foreign_host"),
        ({"origin": "https://evil.example"}, 403, "foreign_origin"),
        ({"origin": "null"}, 403, "foreign_origin"),
        ({"authorization": ""}, 401, "unauthorized"),
        ({"authorization": f"Basic {TOKEN}"}, 401, "unauthorized"),
        ({"authorization": f"Bearer {TOKEN}x"}, 401, "unauthorized"),
        ({"content_type": "application/x-www-form-urlencoded"}, 415, "media_type"),
        ({"content_type": "text/plain"}, 415, "media_type"),
        ({"content_type": ""}, 415, "media_type"),
        ({"muniment_vouch": "pope"}, 400, "usage"),
    ],
)
def test_a_request_that_a_page_elsewhere_could_send_is_refused_and_writes_nothing(
    served: Served, headers: dict[str, str], status: int, code: str
) -> None:
    told = served.ask("POST", "/v1/facts", FACT, **headers)
    assert (told.status, told.json["code"]) == (status, code)
    assert told.headers["content-type"] == "application/problem+json"
    assert not list(served.home.rglob("memory.db"))


def test_requests_for_a_name_of_this_machine_and_from_its_own_pages_pass(served: Served) -> None:
    for headers in ({}, {"host": "localhost"}, {"host": "[::1]:1"}, {"origin": f"http://localhost:{served.port}"}):
        assert served.ask("POST", "/v1/conflicts", {"text": "x"}, **headers).status in (200, 404), headers


@pytest.mark.parametrize(
    ("body", "about"),
    [
        (b"", "body"), (b"{", "body"), (b"[" * 20_000, "body"), (b"\xff", "body"), (b'{"a": NaN}', "body"), (b"[]", ""),
        ({"content": "x"}, "type"), ({**FACT, "colour": 1}, "colour"), ({**FACT, "tags": "a"}, "tags"),
        ({**FACT, "tags": [1]}, "tags"), ({**FACT, "unsure": "yes"}, "unsure"), ({"type": None, "content": "x"}, "type"),
    ],
)  # fmt: skip
def test_a_body_that_makes_no_sense_is_named(served: Served, body: object, about: str) -> None:
    told = served.ask("POST", "/v1/facts", body)
    assert (told.status, told.json["code"], told.json["about"]) == (400, "usage", about), told.body


@pytest.mark.parametrize(
    ("query", "about"),
    [
        ("budget=many", "budget"), ("budget=1.5", "budget"), ("budget=1&budget=2", "budget"), ("nope=1", "nope"),
        ("budget=99999999999999999999", "budget"), ("floor=1", "floor"), ("fusion=best", "fusion"),
    ],
)  # fmt: skip
def test_a_question_that_makes_no_sense_is_named(served: Served, query: str, about: str) -> None:
    told = served.ask("GET", f"/v1/search?{query}")
    assert (told.status, told.json["code"], told.json["about"]) == (400, "usage", about), told.body


def test_what_no_route_answers_is_told_as_a_problem_with_what_there_is(served: Served) -> None:
    told = served.ask("DELETE", "/v1/facts")
    assert (told.status, told.json["code"], told.headers["allow"]) == (405, "wrong_method", "GET, POST")
    told = served.ask("GET", "/v2/facts")
    assert (told.status, told.json["code"]) == (404, "no_such_route")


def test_oversized_and_slow_bodies_are_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "home", tmp_path, Limits(body_bytes=1000, body_seconds=0.5)) as served:
        told = served.ask("POST", "/v1/facts", {**FACT, "context": "x" * 1000})
        assert (told.status, told.json["code"]) == (413, "too_large")
        for told_size in (b"content-length: 500", b"transfer-encoding: chunked"):
            assert _dripping(served, told_size).startswith(b"HTTP/1.1 408")
        chunks = b"400\r\n" + b"x" * 1024 + b"\r\n0\r\n\r\n"
        assert _raw(served, b"transfer-encoding: chunked", chunks).startswith(b"HTTP/1.1 413")


def _raw(served: Served, header: bytes, body: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as wire:
        head = [b"POST /v1/facts HTTP/1.1", b"host: localhost", b"authorization: Bearer " + TOKEN.encode()]
        wire.sendall(b"\r\n".join([*head, b"content-type: application/json", header, b"", b""]) + body)
        return wire.recv(100)


def _dripping(served: Served, header: bytes) -> bytes:
    """The answer to a body whose first byte comes, and no other."""
    return _raw(served, header, b"{" if b"length" in header else b"1\r\n{\r\n")


def test_a_key_that_asks_too_often_waits(tmp_path: Path) -> None:
    with serving(tmp_path / "home", tmp_path, Limits(per_second=0.001, burst=3)) as served:
        found = [served.ask("GET", "/v1/review") for _ in range(4)]
    assert [told.status == 429 for told in found] == [False, False, False, True]
    assert found[-1].headers["retry-after"] == "1"


# --- keys


def _key(
    served: Served, name: str, folder: Path, speaks: str = "agent", right: str = "write", home: Path | None = None
) -> str:
    return keys.add(served.home, name, str(folder), str(home or served.home), speaks, right)


def test_a_key_decides_whose_words_are_brought_and_no_header_makes_them_a_persons(served: Served) -> None:
    mine = served.memory()
    for speaks in ("agent", "import"):
        told = mine.add("fact", f"The database is Postgres{len(speaks)}", topic=speaks, predicate="uses").ids[0]
        with served.memory(_key(served, speaks, served.folder, speaks), vouch="person") as other:
            asked = other.revise(told, "retract", reason="no longer so")
            assert asked.outcome == "proposed"
            stated = other.add("fact", f"The cache is Redis, says {speaks}")
            assert {hit.origin for hit in mine.query(f"id:{stated.ids[0]}")} <= {speaks}
    person = served.memory(_key(served, "person", served.folder, "person"), vouch=None)
    assert person.revise(told, "retract", reason="no longer so").ids == (told,)


def test_a_right_holds_what_stands_before_it_and_no_more(served: Served) -> None:
    served.memory().add("fact", "The API port is 8080")
    asked = {
        "read": ("GET", "/v1/facts", None), "write": ("POST", "/v1/facts", FACT), "own": ("GET", "/v1/export/jsonl", None),
    }  # fmt: skip
    for place, right in enumerate(keys.RIGHTS):
        token = _key(served, f"may-{right}", served.folder, right=right)
        for needs, (method, path, body) in asked.items():
            told = served.ask(method, path, body, token=token)
            assert (told.status == 403) == (keys.RIGHTS.index(needs) > place), (right, needs, told.body)


def test_a_key_opens_its_own_store_and_nothing_of_any_other(served: Served, tmp_path: Path) -> None:
    other, tenant = tmp_path / "other", tmp_path / "tenant"
    other.mkdir(), tenant.mkdir()
    mine = served.memory()
    secret = mine.add("fact", "The vault is under the stairs").ids[0]
    theirs = served.memory(_key(served, "theirs", other, home=tenant))
    theirs.add("fact", "The garden is green")
    assert [(hit.text, hit.standing) for hit in theirs.query("type:fact")] == [("The garden is green", "hypothesis")]
    assert not list(theirs.search("the vault under the stairs"))
    with pytest.raises(NotFoundError):
        theirs.read(secret)
    assert sorted(tenant.rglob("memory.db"))
    assert len(sorted(served.home.rglob("memory.db"))) == 1


def test_a_key_is_shown_once_kept_as_a_hash_and_refused_when_taken_back(served: Served) -> None:
    token = _key(served, "one", served.folder)
    assert token.encode() not in b"".join(p.read_bytes() for p in served.home.rglob("*") if p.is_file())
    assert served.ask("GET", "/v1/review", token=token).status != 401
    with pytest.raises(ConflictError):
        _key(served, "one", served.folder)
    keys.remove(served.home, "one")
    assert served.ask("GET", "/v1/review", token=token).status == 401
    with pytest.raises(NotFoundError):
        keys.remove(served.home, "one")
    with pytest.raises(UsageError):
        _key(served, "../x", served.folder)


def test_a_list_of_keys_that_is_none_opens_nothing_but_says_so(served: Served) -> None:
    served.home.mkdir(exist_ok=True)
    (served.home / keys.KEYS_FILE).write_text("{", encoding="utf-8")
    told = served.ask("GET", "/v1/review")
    assert (told.status, told.json["code"]) == (400, "usage")
    assert keys.KEYS_FILE in told.json["title"]


def test_what_says_that_it_lives_and_is_ready_needs_no_token_and_the_numbers_need_one(served: Served) -> None:
    assert served.ask("GET", "/healthz", token="").json == {"status": "ok"}
    assert served.ask("GET", "/readyz", token="").json["last_write_age_s"] is None
    served.memory().add("fact", "The API port is 8080")
    time.sleep(0.01)
    assert served.ask("GET", "/readyz", token="").json["last_write_age_s"] >= 0
    assert served.ask("GET", "/metrics", token="").status == 401
    text = served.ask("GET", "/metrics").body.decode()
    assert 'muniment_requests_total{method="POST",route="/facts",status="201"} 1.0' in text
    assert "8080" not in text
