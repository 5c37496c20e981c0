"""When nothing is found: what is refused, what never is, what is doubted, and what is counted of it."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from tests.engine.talks import ASKED, ENGLISH, OTHER, RARE, turns

from muniment import Memory
from muniment.engine import calibrating
from muniment.engine import floor as floors
from muniment.evals.floor import foreign_questions
from muniment.views.found import HEAD

Talk = Callable[..., Memory]
FOREIGN = "Which dynasty built most of the Great Wall that stands today?"


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    """Makes memories of a conversation, each in a home of its own."""
    made: list[Memory] = []

    def make(texts: Iterable[str] = ENGLISH) -> Memory:
        project = tmp_path / f"p{len(made)}"
        project.mkdir()
        (project / ".muniment").touch()
        made.append(Memory.open(project, home=tmp_path / f"h{len(made)}", zone="UTC"))
        made[-1].ingest(turns(texts))
        return made[-1]

    yield make
    for memory in made:
        memory.close()


def counted(memory: Memory) -> tuple[int, int]:
    found = floors.histogram(memory._engine)
    return found.total, found.unjudged


# --- what is refused, and what is not ------------------------------------------------------------


def test_most_foreign_questions_are_refused_and_no_own_one(talk: Talk) -> None:
    memory = talk()
    assert [words for words in ASKED if memory.search(words).reason] == []
    foreign = [memory.search(words).reason is not None for words in foreign_questions()]
    assert sum(foreign) >= 0.9 * len(foreign)


@pytest.mark.parametrize("language", OTHER)
def test_a_question_in_the_script_of_the_store_is_not_refused_for_it(talk: Talk, language: str) -> None:
    texts, asked = OTHER[language]
    memory = talk([*texts.strip().splitlines(), *ENGLISH])
    assert [words for words in asked if memory.search(words).reason] == []


@pytest.mark.parametrize("word", RARE)
def test_a_rare_keyword_of_any_script_is_never_refused(talk: Talk, word: str) -> None:
    memory = talk([*ENGLISH, f"and then there was {word} too", *ENGLISH])
    assert memory.search(word).reason is None


def test_a_refusal_names_what_is_unknown_and_shows_what_came_nearest(talk: Talk) -> None:
    found = talk().search("Which orchestra near the office performs Stravinsky's ballets?")
    assert found.reason is not None
    assert 'no turn holds "orchestra", "performs", "Stravinsky" and 1 more' in found.reason
    assert found.nearest is not None
    assert found.doubt is None
    assert found.confidence < 0.5


# --- what is doubted ------------------------------------------------------------


def test_unknown_words_of_a_question_are_named_before_the_rows(talk: Talk) -> None:
    memory = talk()
    found = memory.search("Where in Reykjavik did we move the retry policy of the billing worker?")
    assert found.doubt == 'no turn holds "Reykjavik"'
    assert found.text.splitlines()[:2] == [HEAD, '-- no turn holds "Reykjavik"']
    known = memory.search("Where did we move the retry policy of the billing worker?")
    assert known.doubt is None
    assert found.confidence < known.confidence


def test_a_doubt_takes_the_room_of_no_row(talk: Talk) -> None:
    memory = talk()
    words = "Where in Reykjavik did we move the retry policy of the billing worker?"
    for budget in (1, 150, 300, 340, 500, 900):
        found = memory.search(words, budget=budget)
        assert found.bytes <= budget
        assert found.doubt is None or found.hits
    assert "Reykjavik" not in memory.search(words, budget=200).text
    assert memory.search(words, budget=200).doubt
    first = memory.search(words, limit=1)
    assert "no turn holds" not in memory.search(cursor=first.cursor).text


def test_words_without_spaces_are_named_as_the_run_that_stands_nowhere(talk: Talk) -> None:
    memory = talk(OTHER["Chinese"][0].split())
    assert memory.search("小提琴在蓝色花盆下面吗?在哪里?", floor=False).doubt == 'no turn holds "小提琴"'


def test_what_a_shown_row_says_is_not_doubted(talk: Talk) -> None:
    from muniment.recall import doubt

    assert doubt.told(["reader.ts"], ["$ cat Reader.TS"]) is None
    assert doubt.told(["a", "b", "c", "d"]) == 'no turn holds "a", "b", "c" and 1 more of the question\'s words'


# --- what is counted ------------------------------------------------------------


def test_each_question_is_counted_once_and_in_no_store(talk: Talk) -> None:
    memory = talk()
    before = memory._engine.path.read_bytes()
    first = memory.search(ASKED[0], limit=1)
    memory.search(cursor=first.cursor)
    memory.search(FOREIGN)
    memory.search(FOREIGN, floor=False)
    memory.search("Redis")
    assert counted(memory) == (2, 1)
    found = floors.histogram(memory._engine)
    assert found.below(found.floor.value) == 1
    path = floors.path_of(memory._engine)
    assert len(path.read_bytes()) == 3
    assert memory._engine.path.read_bytes() == before
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_count_that_cannot_be_written_fails_no_search(talk: Talk) -> None:
    memory = talk()
    (memory._engine.settings.home / "journal").write_text("in the way")
    assert memory.search(ASKED[0]).hits
    assert counted(memory) == (0, 0)


@pytest.mark.parametrize("signal", [-1e9, -16.0, 0.0, 15.9, 1e9])
def test_any_signal_falls_into_a_bucket(talk: Talk, signal: float) -> None:
    memory = talk()
    floors.note(memory._engine, signal, is_judged=True)
    assert counted(memory) == (1, 0)


# --- a floor of one's own ------------------------------------------------------------


def configured(memory: Memory, text: str) -> None:
    (memory._engine.settings.home / "config.toml").write_text(text, encoding="utf-8")


def test_the_configured_floor_is_used_and_explained(talk: Talk) -> None:
    memory = talk()
    told = memory.search(ASKED[0], explain=True).explained
    assert told is not None
    assert (told.floor, told.is_own_floor) == (floors.SHIPPED, False)
    configured(memory, "[search]\nfloor = 40\n")
    found = memory.search(ASKED[0], explain=True)
    assert found.reason is not None
    assert found.explained is not None
    assert (found.explained.floor, found.explained.is_own_floor) == (40.0, True)


@pytest.mark.parametrize("value", ["'low'", "true", "nan", "1000", "[1]"])
def test_a_bad_floor_is_told_with_its_place_and_the_shipped_one_is_used(talk: Talk, value: str) -> None:
    memory = talk()
    configured(memory, f"[search]\nfloor = {value}\n")
    found = memory.search(ASKED[0])
    assert found.hits
    (warning,) = found.warnings
    assert "config.toml: [search] floor must be" in warning
    assert "the shipped floor of -1.3 is used" in warning


# --- questions from the store itself ------------------------------------------------------------


def test_a_built_question_is_asked_of_the_store_without_its_turn(talk: Talk) -> None:
    question = "Which zeppelin did Hildegard photograph in Friedrichshafen?"
    memory = talk([*ENGLISH, question, "I do not know, sorry.", *reversed(ENGLISH)])
    found = calibrating.gather(memory._engine, [question], [])
    signals = {told.kind: told.signal for told in found.own if told.words == question}
    assert signals["asked"] < floors.SHIPPED < signals["label"]


def test_questions_are_built_and_foreign_ones_that_the_store_knows_are_left_out(talk: Talk) -> None:
    dialogue = [line for pair in zip(ASKED, ENGLISH, strict=False) for line in pair]
    memory = talk([*dialogue, *ENGLISH])
    before = memory._engine.path.read_bytes()
    found = calibrating.gather(memory._engine, [ASKED[0], "Redis"], [FOREIGN, ASKED[1]])
    kinds = {told.kind for told in found.own}
    assert kinds == {"label", "asked", "masked"}
    assert found.unjudged == 1
    assert found.known == [ASKED[1]]
    assert memory._engine.path.read_bytes() == before
    assert counted(memory) == (0, 0)
    again = calibrating.gather(memory._engine, [ASKED[0], "Redis"], [FOREIGN, ASKED[1]])
    assert again == found
