from muniment.engine.asking import query
from tests.support import *
def test_x(engine, clock):
    a = state(engine, "PostgreSQL", topic="database"); print(a)
    clock.forward(days=1)
    print(state(engine, "SQLite", topic="database"))
    archive(engine, [said("s1",0,"2026-03-01","hi"), *ran("s1",1,"2026-03-01 10:00","pytest","1 passed in 0.1s")])
    print(query(engine).text)
    assert 0
