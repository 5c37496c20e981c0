"""Generated statements against the wall. 100,000 of them: `python -m tests.walls.generated`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.walls import generated, mutants


def test_no_generated_statement_leaks_writes_or_goes_over_its_limits(tmp_path: Path) -> None:
    outcome = generated.run(tmp_path, 5000, 7)
    assert outcome.faults == {}
    assert outcome.writes == 0
    assert outcome.tried == 5000
    assert outcome.answered > 1000


@pytest.mark.parametrize("mutant", mutants.MUTANTS)
def test_generated_statements_find_the_walls_with_a_hole(mutant, tmp_path: Path) -> None:
    assert generated.run(tmp_path, 50_000, 7, mutant, enough=1).faults
