"""`python -m muniment.testing.stub_model`: serve until ended."""

from __future__ import annotations

import argparse
from pathlib import Path

from muniment.testing.stub_model.server import StubModel


def main() -> None:
    """Serve; where the port is written, it is written once the server listens."""
    words = argparse.ArgumentParser(
        prog="python -m muniment.testing.stub_model", description="A model that is not there."
    )
    words.add_argument("--port", type=int, default=0, help="0: any that is free")
    words.add_argument("--port-file", type=Path, help="write the port here")
    words.add_argument("--record", type=Path, help="append every request here, a JSON object a line")
    words.add_argument("--usage", type=int, default=1200, help="input tokens that are claimed")
    words.add_argument("--window", type=int, default=200_000, help="the size of the context that is told")
    words.add_argument("--model", action="append", default=[], help="a model to list; may be repeated")
    given = words.parse_args()
    models = tuple(given.model) or ("stub-model",)
    stub = StubModel(given.port, given.record, usage=given.usage, window=given.window, models=models)
    if given.port_file:
        given.port_file.write_text(str(stub.port), encoding="utf-8")
    stub.serve()


if __name__ == "__main__":
    main()
