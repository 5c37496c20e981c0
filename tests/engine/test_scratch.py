from muniment.engine.asking import query
from muniment.engine.stating import *
from muniment.model.fact import Action
from tests.support import *
def test_x(engine, clock, person):
    clock.set("2026-01-10"); a=state(engine, "PostgreSQL", topic="database")
    clock.set("2026-02-10"); b=state(engine, "SQLite", topic="database")
    clock.set("2026-03-10");
    print(query(engine,"p:uses").text)
    print(query(engine,"p:uses", as_of="2026-01-20").text)
    print(query(engine,"p:uses", as_of="2026-01-20").hits)
    print(query(engine,"p:uses as-of:2026-01-01"))
    c=correct(engine, person, b.ids[0], "MySQL", "wrong")
    print(query(engine,"p:uses as-of:2026-02-20").text)
    print(query(engine,"p:uses as-of:2026-02-20 known:2026-02-20").text)
    print(query(engine,"p:uses known:2026-02-20").text)
    print(query(engine,"standing:any").text)
    print(query(engine,"standing:retracted").text)
    print(query(engine,"standing:superseded postgresql").text)
    print(query(engine,"standing:any", budget=0))
    from muniment.engine import history as h
    import pprint
    pprint.pprint(h.history(engine, b.ids[0]))
    pprint.pprint(h.why(engine, c.ids[0]))
    archive(engine, [*ran("s1",1,"2026-03-01 10:00","pytest","1 passed in 0.1s")])
    r=query(engine,"p:ran").hits[0]
    pprint.pprint(h.why(engine, r.id))
