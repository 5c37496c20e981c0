"""The mask before everything: what is secret goes, what only looks like it stays."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.gate import masks
from muniment.testing import secrets

PLANTED = list(secrets.planted(seed=4, values=50))
SHAPES = sorted({plant.shape for plant in PLANTED})
TOKEN = secrets.PREFIXED["anthropic"](secrets.Random(7))
SHORT = "hun" + "ter" + "42x"

# Text in which secrets and private passages are likely, so that properties meet them.
FRAGMENTS = st.sampled_from(
    [plant.text for plant in PLANTED[::37]]
    + [
        "<private>",
        "</private>",
        "<PRIVATE>",
        "password=",
        "token: ",
        '"',
        "\\",
        "\n",
        "█",
        "?",
        "\ud800",
        "\0",
        "€",
        "😀",
        "@",
        "://",
    ]
)
TEXTS = st.lists(st.one_of(st.text(max_size=12), FRAGMENTS), max_size=8).map("".join)


def leaks(masked: str, secret: str) -> bool:
    """Whether nine characters in a row of the secret can still be read."""
    pieces = {secret[i : i + 9] for i in range(max(1, len(secret) - 8))}
    return any(piece in masked for piece in pieces)


# --- secrets ----------------------------------------------------------------------------------


def test_there_are_fifty_values_of_far_more_than_twenty_shapes() -> None:
    shapes = Counter(plant.shape.split(",")[0] for plant in PLANTED)
    assert len(shapes) >= 60
    assert min(shapes.values()) == 50


@pytest.mark.parametrize("shape", SHAPES)
def test_every_planted_secret_is_masked(shape: str) -> None:
    for plant in PLANTED:
        if plant.shape != shape:
            continue
        masked, spans = masks.mask(plant.text)
        assert not any(leaks(masked, secret) for secret in plant.secrets), plant.text
        assert spans
        assert masks.MARK in masked
        assert plant.kept in masked


@pytest.mark.parametrize("seed", range(8, 12))
def test_other_seeds_leak_less_than_one_in_five_hundred(seed: int) -> None:
    plants = list(secrets.planted(seed, 10))
    missed = sum(any(leaks(masks.mask(p.text)[0], secret) for secret in p.secrets) for p in plants)
    assert missed * 500 <= len(plants)


def test_a_connection_url_loses_its_password_only() -> None:
    text = f"postgres://app:{SHORT}@db.example.org:5432/app"
    assert masks.mask(text)[0] == f"postgres://app:{masks.MARK * len(SHORT)}@db.example.org:5432/app"


def test_an_unclosed_key_block_is_masked_to_the_end() -> None:
    text = "see\n-----BEGIN " + "PRIVATE KEY-----\nMIIabc\nshort line\nlast"
    masked = masks.mask(text)[0]
    assert masked.startswith("see\n-----BEGIN")
    assert "MIIabc" not in masked
    assert masked.endswith(masks.MARK)


def test_code_that_only_names_the_key_block_keeps_what_follows() -> None:
    text = 'if "-----BEGIN ' + 'PRIVATE KEY-----" in text:\n    raise ValueError(text)\n'
    assert masks.find(text) == []


# --- private passages -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("a <private>blue heron</private> b", "a <private>{10}</private> b"),
        ("<PRIVATE>blue heron</Private>", "<PRIVATE>{10}</Private>"),
        ("<private>a<private>b</private>c</private>d", "<private>{22}</private>d"),
        ("x <private>blue\nheron", "x <private>{10}"),
        ("<private>a</private> b <private>c", "<private>{1}</private> b <private>{1}"),
        ("</private> open <private></private>", "</private> open <private></private>"),
        ("<private>a<private>b</private>c", "<private>{22}"),
        ("é€😀<private>é€😀</private>", "é€😀<private>{3}</private>"),
    ],
)
def test_private_passages_are_masked_with_their_content(text: str, masked: str) -> None:
    head, *rest = masked.split("{")
    want = head + "".join(masks.MARK * int(part.split("}")[0]) + part.split("}")[1] for part in rest)
    assert masks.mask(text)[0] == want


# --- look-alikes ------------------------------------------------------------------------------


def test_of_five_thousand_look_alikes_fewer_than_one_in_a_hundred_is_touched() -> None:
    touched = [(kind, text) for kind, text in secrets.look_alikes(seed=2, count=5000) if masks.find(text)]
    assert len(touched) < 50, touched[:5]


@pytest.mark.parametrize(
    "text",
    [
        "risk-based",
        "task-queue-for-background-jobs-v2",
        "claude-sonnet-4-5-20250929",
        "toolu_01A09q90qw90lq917835lq9",
        "call_" + "abcDEF123ghiJKL456mnoPQR",
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "2026-08-03T10:11:12.345Z",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        'password = os.environ["X"]',
        "def login(password: str, token: str | None = None) -> None:",
        "${TOKEN} $API_KEY <your-api-key> xxxx ****",
        "api_key=None",
        "token = client.fetch_token(scope)",
        "connect(host, password=password, token=self.token)",
        "I forgot my password: it was on the old laptop",
        "The token is read from the file; the secret is not.",
        "List<Private> and Optional<Private>",
        "git@github.com:ada/engine.git and ssh://git@example.org/a.git",
        "https://example.org/@scope/package?key=value",
        "PWD=/home/ada/work/engine",
        "h1:" + "n4vV" * 10 + "aB3=",
    ],
)
def test_a_look_alike_stays_untouched(text: str) -> None:
    assert masks.mask(text) == (text, [])


# --- properties -------------------------------------------------------------------------------


@given(TEXTS)
def test_spans_are_sorted_disjoint_and_inside_the_text(text: str) -> None:
    edges = [edge for span in masks.find(text) for edge in span]
    assert edges == sorted(set(edges))
    assert not edges or (edges[0] >= 0 and edges[-1] <= len(text))


@given(TEXTS)
def test_a_mask_keeps_the_length_and_all_that_is_outside(text: str) -> None:
    masked, spans = masks.mask(text)
    assert len(masked) == len(text)
    covered = {i for start, end in spans for i in range(start, end)}
    assert all(masked[i] == (masks.MARK if i in covered else text[i]) for i in range(len(text)))
    assert masked == masks.apply(text, spans)


@given(TEXTS)
def test_masking_twice_changes_nothing(text: str) -> None:
    masked, _ = masks.mask(text)
    assert masks.mask(masked) == (masked, [])


@pytest.mark.parametrize(
    "unit", ["a", "=", "key=", "token=", 'secret="', "-----BEGIN ", "<private>", "sk" + "-", "://a:b@", "aB3/"]
)
def test_hostile_repetition_is_masked_twice_alike(unit: str) -> None:
    masked, _ = masks.mask(unit * (20_000 // len(unit)))
    assert masks.find(masked) == []


# --- raw records ------------------------------------------------------------------------------


def record(value: object, ascii_only: bool = True) -> bytes:
    return json.dumps(value, ensure_ascii=ascii_only).encode() + b"\n"


def test_a_record_without_secrets_comes_back_byte_for_byte() -> None:
    raw = b'{ "b":1.50, "a" : "caf\\u00e9 \\/ x",\t"n":1e5 }\r\n'
    assert masks.mask_record(raw) is raw


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_record_is_masked_in_values_keys_and_nested_json(ascii_only: bool) -> None:
    inner = json.dumps({"api_key": SHORT, "note": "é"})
    raw = record({"text": f"é {TOKEN}\nend", TOKEN: 1, "deep": [{"body": inner}], "n": 2}, ascii_only)
    masked = masks.mask_record(raw)
    value = json.loads(masked)
    assert TOKEN not in masked.decode()
    assert SHORT not in masked.decode()
    assert value["text"] == f"é {masks.MARK * len(TOKEN)}\nend"
    assert value["n"] == 2
    assert masked.endswith(b"\n")
    assert masks.mask_record(masked) == masked


@pytest.mark.parametrize(
    "value",
    [
        {"api_key": SHORT},
        {"clientSecret": SHORT},
        {"name": "DB_PASSWORD", "value": SHORT},
        {"args": ["deploy", "--token", SHORT]},
        {"headers": {"Cookie": f"sid={SHORT}; a=b"}},
        {"headers": {"Authorization": f"Basic {SHORT}"}},
        {"text": f"one\nDB_PASSWORD={SHORT}\ntwo"},
        {"text": f"<private>{SHORT}"},
    ],
)
def test_the_name_of_a_field_tells_on_its_value(value: object) -> None:
    masked = masks.mask_record(record(value))
    assert SHORT.encode() not in masked
    json.loads(masked)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_planted_secret_is_masked_in_a_record(shape: str) -> None:
    for plant in PLANTED:
        if plant.shape == shape:
            masked = json.loads(masks.mask_record(record({"message": {"content": plant.text}})))
            assert not any(leaks(masked["message"]["content"], secret) for secret in plant.secrets)


@pytest.mark.parametrize("before", ["\n", "\t", "\r\n", "\\", '"', "\\\\", "/"])
def test_no_escape_before_a_secret_hides_it_from_the_quick_look(before: str) -> None:
    for plant in PLANTED[::11]:
        text = before + plant.text
        masked = masks.mask_record(record([text]))
        assert json.loads(masked) == [masks.mask(text)[0]]


def test_a_secret_spelled_in_unicode_escapes_is_masked() -> None:
    spelled = "".join(f"\\u{ord(char):04X}" for char in TOKEN)
    masked = masks.mask_record(f'{{"a":"x\\u000A{spelled}"}}'.encode())
    assert json.loads(masked) == {"a": "x\n" + masks.MARK * len(TOKEN)}


def test_a_thinking_signature_is_not_a_secret() -> None:
    raw = record({"thinking": "hm", "signature": secrets.draw(secrets.Random(1), 300)})
    assert masks.mask_record(raw) is raw


def test_what_is_not_json_is_masked_as_text_and_other_bytes_survive() -> None:
    raw = b"\xff\xfe " + TOKEN.encode() + b" \xff {"
    assert masks.mask_record(raw) == b"\xff\xfe " + (masks.MARK * len(TOKEN)).encode() + b" \xff {"


def test_a_half_pair_stays_an_escape() -> None:
    masked = masks.mask_record(b'{"a":"\\ud800 ' + TOKEN.encode() + b'"}')
    assert json.loads(masked) == {"a": "\ud800 " + masks.MARK * len(TOKEN)}


@pytest.mark.parametrize("secret", ['pa"ss\\w', "größe 1", "😀x", "12345"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_given_secrets_are_covered_in_every_spelling(secret: str, ascii_only: bool) -> None:
    inner = json.dumps({"x": secret}, ensure_ascii=ascii_only)
    raw = record({"a": secret, "b": inner, "c": json.dumps(inner, ensure_ascii=ascii_only), "n": 12345}, ascii_only)
    value = json.loads(masks.mask_bytes_json(raw, [secret]))
    assert value["a"] == masks.MARK * len(secret)
    assert secret not in str(json.loads(value["b"]))
    assert secret not in str(value)


@given(TEXTS, st.booleans())
def test_a_masked_record_is_json_of_the_same_shape(text: str, ascii_only: bool) -> None:
    raw = json.dumps({"k": [text, 1, None]}, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    masked = masks.mask_record(raw)
    value = json.loads(masked.decode("utf-8", "surrogateescape"))
    assert len(value["k"]) == 3
    assert masks.mask_record(masked) == masked


@given(st.binary(max_size=60))
def test_any_bytes_are_legal(raw: bytes) -> None:
    masks.mask_record(raw)
    masks.mask_bytes_json(raw, ["a", ""])
