"""What is older than the configuration says expires, and goes when a person says so; reading makes nothing newer."""

from __future__ import annotations

import pytest
from tests.support import archive, said

from muniment.config import retention
from muniment.engine import amending, forgetting, stating, upkeep
from muniment.engine.asking import query
from muniment.engine.forgetting import Target
from muniment.engine.stating import Statement, add
from muniment.errors import NothingChangedError, UsageError
from muniment.model.fact import Action

OLD = Target("expired", "")


@pytest.fixture
def kept(make_engine, tmp_path):
    """Makes an engine over a configuration."""

    def make(text: str):
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        (home / "config.toml").write_text(text, encoding="utf-8")
        return make_engine(retention=lambda: retention(home))

    return make


def test_what_is_older_than_its_type_allows_expires_and_the_rest_stays(kept, person, clock):
    engine = kept('[retention]\nfact = "30d"\n')
    fact = add(engine, person, Statement("fact", "The door code is on the desk"))
    add(engine, person, Statement("preference", "Likes tea"))
    clock.forward(days=31)
    add(engine, person, Statement("fact", "The new code is in the drawer"))
    assert forgetting.expire(engine, person, OLD, dry_run=True).ids == fact.ids
    assert "on the desk" in query(engine).text
    assert forgetting.expire(engine, person, OLD).ids == fact.ids
    shown = query(engine).text
    assert "on the desk" not in shown
    assert "drawer" in shown
    assert "tea" in shown
    assert "on the desk" in query(engine, as_of="2026-03-10").text
    assert upkeep.verify(engine, rebuild=True).problems == ()
    with pytest.raises(NothingChangedError):
        forgetting.expire(engine, person, OLD)


def test_new_evidence_keeps_a_fact_and_a_pin_does_too(kept, person, clock):
    engine = kept('[retention]\nfact = "30d"\n')
    said_again, confirmed, pinned = (
        add(engine, person, Statement("fact", text)).ids[0] for text in ("Again and again", "Still so", "For ever")
    )
    clock.forward(days=20)
    add(engine, person, Statement("fact", "Again and again"))
    stating.decide(engine, person, Action.CONFIRM, confirmed)
    amending.pin(engine, person, pinned)
    clock.forward(days=20)
    query(engine, "again")
    with pytest.raises(NothingChangedError):
        forgetting.expire(engine, person, OLD)
    assert said_again in query(engine).text


def test_erasing_by_age_takes_what_was_said_too_where_the_archive_has_a_time(kept, person, clock):
    engine = kept('[retention]\narchive = "4w"\n')
    archive(
        engine, [said("old", 0, "2026-01-01T10:00:00.000Z", "Good morning to all"), said("new", 0, clock.at, "Hello")]
    )
    done = forgetting.erase(engine, person, OLD)
    assert [receipt for receipt, _ in done.events] == ["old:0"]
    assert upkeep.verify(engine, rebuild=True).problems == ()


def test_a_scope_may_say_otherwise(kept, person, clock):
    engine = kept("")
    add(engine, person, Statement("fact", "It holds"))
    clock.forward(days=10)
    (engine.settings.home / "config.toml").write_text(
        f'[retention]\nfact = "90d"\n[retention."{engine.workspace.id}"]\nfact = "1w"\n', encoding="utf-8"
    )
    assert len(forgetting.expire(engine, person, OLD).ids) == 1


@pytest.mark.parametrize("text", ["fact = 30", 'fact = "soon"', 'facts = "30d"', '[retention.here]\nfact = "0d"'])
def test_a_time_that_makes_no_sense_is_named_with_its_place(kept, person, text):
    engine = kept(f"[retention]\n{text}\n")
    add(engine, person, Statement("fact", "It holds"))
    with pytest.raises(UsageError, match="retention"):
        forgetting.expire(engine, person, OLD)
