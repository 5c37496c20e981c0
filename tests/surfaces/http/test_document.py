"""The document says what the server does: requests made from it get answers that it describes."""

from __future__ import annotations

import os

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from tests.surfaces.http.served import Served

from muniment.surfaces.http import openapi, routes

EXAMPLES = int(os.environ.get("MUNIMENT_HTTP_EXAMPLES", "15"))
"""Requests for each route; `make http` asks for more."""
ROUTES = [f"{route.method} {routes.PREFIX}{route.path}" for route in routes.ROUTES]


def test_the_document_names_every_route_once() -> None:
    document = openapi.document()
    operations = [f"{method.upper()} {path}" for path, each in document["paths"].items() for method in each]
    assert sorted(operations) == sorted(ROUTES)
    verbs = [operation["operationId"] for each in document["paths"].values() for operation in each.values()]
    assert len(set(verbs)) == len(verbs)


@pytest.mark.parametrize("name", ROUTES)
def test_what_the_document_allows_is_answered_as_it_says(served: Served, name: str) -> None:
    served.memory().add("fact", "The API port is 8080")
    schema = schemathesis.openapi.from_dict(openapi.document())
    schema.config.base_url = served.url
    # A schema cannot say which words make a selector or name something that is there: those are refused by the verb.
    schema.config.checks.positive_data_acceptance.expected_statuses = ["2XX", "304", "400", "403", "404", "409", "422"]
    method, path = name.split(" ")

    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=schema[path][method].as_strategy())
    def check(case: schemathesis.Case) -> None:
        case.call_and_validate(headers={"Authorization": f"Bearer {served.token}"})

    check()
