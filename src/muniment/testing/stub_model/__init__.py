"""A model that is not there: a server on this machine's loopback that answers as four vendors' models do.

It lets a real agent harness run whole turns with no account and no network, and keeps every request it was sent, so that a
test reads from the request itself what reached the model. What it says is written in the prompt, in double square brackets:

    [[stub {"tool": "shell", "args": {"command": "ls"}}]]    call a tool: by kind (shell, read, ...), or a pattern of its name
    [[stub {"say": "done"}]]                                 the words that end the turn
    [[stub {"usage": 190000}]]                               claim so many tokens of input, once: a harness then compacts
    [[stub {"fail": 529}]]                                   answer with an error of HTTP

Tools are called one after the other, each after the result of the one before. `<<stub {...}>>` is the same for a prompt inside
an argument, a sub-agent's say; it is read only where no square form stands. Where a request demands JSON by a schema it gets
the smallest value that fits. Nothing is random: the same conversation gets the same answer.

    with StubModel(record=path) as stub:
        run(harness, base_url=stub.url)
        bodies = [request.body for request in stub.requests]

`python -m muniment.testing.stub_model --record FILE --port-file FILE` serves until it is ended.
"""

from muniment.testing.stub_model.server import Request, StubModel

__all__ = ["Request", "StubModel"]
