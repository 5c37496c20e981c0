"""Which pairs of short statements speak against each other, and in what; look-alikes that do not."""

from __future__ import annotations

import pytest

from muniment.recall.contrast import Saying, common, contrast, similarity

AGAINST = (
    ("The API port is 8081", "The API port is 8080", "number"),
    ("The deadline is April 10", "The deadline is March 3", "number"),
    ("The timeout is 30s", "The timeout is 60s", "number"),
    ("We use Python 3.12", "We use Python 3.11", "version"),
    ("Node v22 is required", "Node v20 is required", "version"),
    ("Don't use MySQL", "Use MySQL", "negation"),
    ("I hate ORMs", "I like ORMs", "negation"),
    ("never commit to main", "commit to main", "negation"),
    ("Stop adding semicolons", "Always adding semicolons", "negation"),
    ("Prefers spaces", "Prefers tabs", "antonym"),
    ("Prefers verbose responses", "Prefers concise responses", "antonym"),
    ("logging is enabled", "logging is disabled", "antonym"),
    ("run the linter after the tests", "run the linter before the tests", "antonym"),
    ("Always use default exports", "Always use named exports", "antonym"),
    ("Team uses Vitest", "Team uses Jest", "name"),
    ("The user's name is Marcus", "The user's name is Anna", "name"),
    ("Alex works at CompanyB", "Alex works at CompanyA", "name"),
    ("deploys happen on Monday", "deploys happen on Friday", "name"),
    ("User is a staff engineer", "User is a senior engineer", "name"),
    ("We deploy on Fridays except in December", "We deploy on Fridays", "narrower"),
    ("Use spaces in Python files", "Use tabs", "narrower"),
    ("Always squash merges", "Always squash merges for hotfixes", "wider"),
)
TOGETHER = (
    ("The staging port is 8081", "The production port is 8080"),
    ("The billing service runs on port 80", "The search service runs on port 81"),
    ("The billing service runs on Kubernetes", "The search service runs on Kubernetes"),
    ("Runs tests before committing", "Runs lint before merging"),
    ("Use Python for data work", "Use Go for services"),
    ("Team uses Redis", "The office has a coffee machine"),
    ("Prefers prose over bullets", "Prefers prose over bullets."),
    ("The retry limit is 3 for billing", "The retry limit is 5 for search"),
    ("Marcus leads the platform team", "Anna reviews every migration"),
    ("", "anything"),
)


@pytest.mark.parametrize(("new", "old", "kind"), AGAINST)
def test_what_speaks_against_each_other_is_named_by_what_differs(new, old, kind):
    assert contrast(Saying(new), Saying(old)) == kind


@pytest.mark.parametrize(("new", "old"), TOGETHER)
def test_what_goes_together_is_left_alone(new, old):
    assert contrast(Saying(new), Saying(old)) is None
    assert contrast(Saying(old), Saying(new)) is None


def test_a_predicate_that_refuses_turns_the_words_round():
    assert contrast(Saying("ORMs", refuses=True), Saying("ORMs")) == "negation"
    assert contrast(Saying("no ORMs"), Saying("ORMs", refuses=True)) is None


@pytest.mark.parametrize(("a", "b", "_"), AGAINST)
def test_likeness_is_the_same_both_ways_and_at_most_one(a, b, _):
    assert 0.0 <= similarity(a, b) == similarity(b, a) <= 1.0
    assert similarity(a, a) == 1.0


def test_what_texts_have_in_common_is_told_in_words_of_the_last():
    texts = ["Prefers Tailwind for the shop", "He prefers Tailwind on the landing page", "Prefers Tailwind in blogs"]
    assert common(texts) == "Prefers Tailwind"
    assert common(["one thing", "another matter"]) == ""
