"""Another process holds the store: readers do not care, writers wait, and who waits in vain learns for whom."""

from __future__ import annotations

import threading
import time

import pytest
from tests.faults import children
from tests.faults.checks import facts, sound

from muniment.engine.asking import query
from muniment.engine.stating import Statement, add
from muniment.errors import BusyError
from muniment.storage.sqlite.lock import WriteLock


def test_a_paused_writer_holds_up_no_reader_and_is_named_to_writers_that_wait_in_vain(home, project, opened, born):
    add(opened(), children.PERSON, Statement("fact", "before"))
    for round_ in range(5):
        holder = born(children.holds_a_transaction, home, project)
        assert holder.hear() == "ready"  # it is inside its transaction
        children.pause(holder)
        engine = opened(lock_timeout=0.3)
        assert "before" in query(engine).text
        with pytest.raises(BusyError) as raised:
            add(engine, children.PERSON, Statement("fact", f"meanwhile {round_}"))
        assert f"process {holder.pid} " in raised.value.message
        assert "nothing was written" in raised.value.hint
        assert "before" in query(engine).text
        children.resume(holder)
        holder.tell()
        assert holder.hear() == "done"
        add(engine, children.PERSON, Statement("fact", f"meanwhile {round_}"))
    assert facts(opened()) == 6
    sound(opened())


def test_a_writer_that_waits_for_a_paused_one_succeeds_when_it_goes_on(home, project, opened, born):
    holder = born(children.holds_a_transaction, home, project)
    assert holder.hear() == "ready"
    children.pause(holder)
    waiter = born(children.states_so_many, home, project, "waiter", 1)
    children.start([waiter])
    assert not waiter.pipe.poll(0.5), "it waits"
    children.resume(holder)
    holder.tell()
    ids, _, errors = waiter.hear()
    assert (len(ids), errors) == (1, [])
    assert facts(opened()) == 1


def test_a_killed_holder_holds_up_nobody(home, project, opened, born):
    holder = born(children.holds_a_transaction, home, project)
    assert holder.hear() == "ready"
    holder.kill()
    add(opened(lock_timeout=1), children.PERSON, Statement("fact", "after"))
    sound(opened())


def test_a_holder_that_closes_while_others_read_breaks_nothing(home, project, opened, born):
    add(opened(), children.PERSON, Statement("fact", "before"))
    holder = born(children.holds_a_transaction, home, project)
    assert holder.hear() == "ready"
    engine = opened()
    with engine.store().reading():
        assert facts(engine) == 1
        holder.tell()
        assert holder.hear() == "done"
        holder.end()
        assert facts(engine) == 1
    sound(engine)


def test_a_store_that_another_program_holds_is_busy_and_never_damaged(home, project, opened, born):
    add(opened(), children.PERSON, Statement("fact", "before"))
    holder = born(children.holds_like_another_program, opened().path)
    assert holder.hear() == "ready"
    writers = [born(children.states_so_many, home, project, f"writer{n}", 3) for n in range(3)]
    readers = [born(children.asks_until_told, home, project) for _ in range(2)]
    children.start([*writers, *readers])
    assert not writers[0].pipe.poll(2), "it waits"
    holder.tell()
    answers = [child.hear() for child in writers]
    assert [errors for _, _, errors in answers] == [[]] * 3
    for child in readers:
        child.tell("stop")
        assert child.hear() > 0
    assert facts(opened()) == 10
    assert [p.name for p in opened().path.parent.iterdir() if "damaged" in p.name or "bak" in p.name] == []


# --- the lock itself --------------------------------------------------------------------------------------------------


def test_threads_of_one_process_take_turns(tmp_path):
    lock, inside, most = WriteLock(tmp_path / "lock", 30), 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(50):
            with lock.held():
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert (inside, most) == (0, 1)


def test_who_gave_up_waiting_does_not_get_the_lock_later(tmp_path):
    path = tmp_path / "lock"
    first, second, third = WriteLock(path, 5), WriteLock(path, 0.1), WriteLock(path, 5)
    with first.held():
        for _ in range(3):
            with pytest.raises(BusyError), second.held():
                pass
    for lock in (third, second, first):
        with lock.held():
            pass


def test_who_is_interrupted_while_waiting_does_not_get_the_lock_later(tmp_path, monkeypatch):
    path = tmp_path / "lock"
    first, second, third = WriteLock(path, 5), WriteLock(path, 5), WriteLock(path, 5)
    wait = threading.Event.wait

    def interrupted(self, timeout=None):
        if timeout is not None and 4 < timeout <= 5:
            raise KeyboardInterrupt
        return wait(self, timeout)

    with first.held(), monkeypatch.context() as patch:
        patch.setattr(threading.Event, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt), second.held():
            pass
    with third.held():
        pass


def test_a_lock_that_is_free_names_nobody_who_waits(tmp_path):
    path = tmp_path / "lock"
    path.write_text("123456789012")
    began = time.monotonic()
    with WriteLock(path, 5).held():
        import os

        assert path.read_text().split() == [str(os.getpid())]
    assert time.monotonic() - began < 60
