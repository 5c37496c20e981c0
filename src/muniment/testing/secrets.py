"""Made-up secrets and their look-alikes, for tests and benchmarks.

No value stands here in one piece: each is drawn from a seed when asked for, so that nothing
in the repository looks like a leaked key.
"""

from __future__ import annotations

import base64
import json
import string
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_WORDS = (
    "store index reader writer cursor buffer window session gateway parser token route report ledger archive recall budget planner "
    "config handler builder factory adapter schema column vector lexer bridge widget panel footer header sidebar button primary"
).split()


@dataclass(frozen=True, slots=True)
class Planted:
    """A text with secrets in it; none of `secrets` may survive masking, `kept` must."""

    shape: str
    text: str
    secrets: tuple[str, ...]
    kept: str = ""


def draw(rng: Random, length: int, alphabet: str = _ALNUM) -> str:
    """Random characters; from the default alphabet with upper, lower and digit among them."""
    while True:
        value = "".join(rng.choices(alphabet, k=length))
        if alphabet != _ALNUM or (any(map(str.isdigit, value)) and not value.islower() and not value.isupper()):
            return value


def _prefixed(lead: str, length: int, alphabet: str = _ALNUM) -> Callable[[Random], str]:
    return lambda rng: lead + draw(rng, length, alphabet)


# Prefixes are cut in two, see above.
PREFIXED: dict[str, Callable[[Random], str]] = {
    "openai": _prefixed("s" + "k-", 48),
    "openai project": _prefixed("s" + "k-proj-", 64, _ALNUM + "_-"),
    "anthropic": _prefixed("s" + "k-ant-api03-", 93, _ALNUM + "_-"),
    "github classic": _prefixed("gh" + "p_", 36),
    "github oauth": _prefixed("gh" + "o_", 36),
    "github server": _prefixed("gh" + "s_", 36),
    "github fine": lambda rng: "github" + "_pat_" + draw(rng, 22) + "_" + draw(rng, 59),
    "gitlab": _prefixed("gl" + "pat-", 20),
    "slack bot": lambda rng: "xo" + "xb-" + draw(rng, 12, string.digits) + "-" + draw(rng, 24),
    "slack user": lambda rng: "xo" + "xp-" + draw(rng, 12, string.digits) + "-" + draw(rng, 32, _HEX),
    "aws id": _prefixed("AK" + "IA", 16, string.ascii_uppercase + "234567"),
    "aws session id": _prefixed("AS" + "IA", 16, string.ascii_uppercase + "234567"),
    "google api": _prefixed("AI" + "za", 35, _ALNUM + "_-"),
    "google oauth": _prefixed("ya" + "29.", 60),
    "npm": _prefixed("np" + "m_", 36),
    "pypi": _prefixed("py" + "pi-AgEIcHlwaS5vcmc", 70),
    "hugging face": _prefixed("h" + "f_", 34),
    "square": _prefixed("sq" + "0atp-", 22),
    "stripe": _prefixed("s" + "k_live_", 24),
    "stripe restricted": _prefixed("r" + "k_live_", 24),
    "stripe public": _prefixed("p" + "k_live_", 24),
    "sendgrid": lambda rng: "S" + "G." + draw(rng, 22) + "." + draw(rng, 43),
    "mailgun": _prefixed("ke" + "y-", 32, _HEX),
    "digitalocean": _prefixed("do" + "p_v1_", 64, _HEX),
    "telegram": lambda rng: draw(rng, 9, "123456789") + ":A" + "A" + draw(rng, 33, _ALNUM),
    "jwt": lambda rng: "ey" + "J" + draw(rng, 33) + ".ey" + "J" + draw(rng, 50) + "." + draw(rng, 43),
    "random": _prefixed("", 40),
    "random base64": lambda rng: base64.b64encode(rng.randbytes(36)).decode(),
}


def _slack_hook(rng: Random) -> Planted:
    value = draw(rng, 24)
    return Planted(
        "slack webhook",
        f"curl https://hooks.slack.com/services/T0{draw(rng, 7)}/B0{draw(rng, 7)}/{value} -d x",
        (value,),
    )


def _discord_hook(rng: Random) -> Planted:
    value = draw(rng, 68)
    text = f"https://discord.com/api/webhooks/{draw(rng, 18, string.digits)}/{value}"
    return Planted("discord webhook", text, (value,))


def _pem(rng: Random, line_end: str, closed: bool, shape: str) -> Planted:
    kind = rng.choice(("RSA ", "EC ", "OPENSSH ", ""))
    body = [draw(rng, 64, _ALNUM + "+/") for _ in range(5)]
    tail = f"{line_end}-----END {kind}PRIVATE KEY-----{line_end}after" if closed else ""
    text = f"before\n-----BEGIN {kind}PRIVATE KEY-----{line_end}{line_end.join(body)}{tail}"
    return Planted(shape, text, tuple(body), "before")


def _encoded(shape: str, plain: str) -> Planted:
    value = base64.b64encode(plain.encode()).decode()
    return Planted(shape, f"the blob is {value} as seen", (value.rstrip("="),), "the blob is")


def _split(rng: Random, shape: str, joint: str, template: str) -> Planted:
    value = PREFIXED[rng.choice(("openai", "github classic", "npm", "google api"))](rng)
    cut = rng.randrange(8, len(value) - 8)
    first, second = value[:cut], value[cut:]
    return Planted(shape, template.format(first + joint + second), (first, second))


def _assigned(shape: str, template: str, length: int = 20, alphabet: str = _ALNUM) -> Callable[[Random], Planted]:
    def plant(rng: Random) -> Planted:
        value = draw(rng, length, alphabet)
        return Planted(shape, template.replace("@@", value), (value,))

    return plant


def _basic(rng: Random) -> Planted:
    value = base64.b64encode(f"ada:{draw(rng, 9)}".encode()).decode()
    return Planted("basic", f"authorization: Basic {value}\n", (value.rstrip("="),))


PLACES = {
    "prose": "Please use {} for the upload, thanks.",
    "tool result": "exit code 0\nloaded credentials: {}\ndone",
    "file name": "wrote ./notes/backup-{}.txt (12 bytes)",
    "commit message": "commit 1f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c\n\n    Add deploy, key {}\n",
    "quoted": 'client = Client("{}")',
    "end of line": "{}",
}


def _card(rng: Random, joint: str = "") -> str:
    """A made-up card number whose sum holds; of a prefix that is issued."""
    digits = [int(c) for c in rng.choice(("4", "51", "55", "6011", "35" + "30"))]
    digits += [rng.randrange(10) for _ in range(15 - len(digits))]
    doubled = sum(sum(divmod(2 * d, 10)) if n % 2 == 0 else d for n, d in enumerate(digits))
    number = "".join(map(str, [*digits, -doubled % 10]))
    return joint.join(number[n : n + 4] for n in range(0, 16, 4))


def _iban(rng: Random) -> str:
    account = draw(rng, 18, string.digits)
    check = 98 - int(f"{account}131400") % 97
    return f"DE{check:02}{account}"


def _number(shape: str, template: str, make: Callable[[Random], str]) -> Callable[[Random], Planted]:
    def plant(rng: Random) -> Planted:
        value = make(rng)
        return Planted(shape, template.format(value), (value,))

    return plant


CONTEXTS: dict[str, Callable[[Random], Planted]] = {
    "card": _number("card", "charge {} for the test order", _card),
    "card in groups": _number("card in groups", "the card is {}, thanks", lambda rng: _card(rng, rng.choice(" -"))),
    "card in json": _number("card in json", '{{"amount":12,"card":"{}"}}', _card),
    "iban": _number("iban", "pay to {} by Friday", _iban),
    "slack webhook": _slack_hook,
    "discord webhook": _discord_hook,
    "pem": lambda rng: _pem(rng, "\n", True, "pem"),
    "pem escaped": lambda rng: _pem(rng, "\\n", True, "pem escaped"),
    "pem unclosed": lambda rng: _pem(rng, "\n", False, "pem unclosed"),
    "encoded key": lambda rng: _encoded("encoded key", PREFIXED["openai"](rng)),
    "encoded lower key": lambda rng: _encoded("encoded lower key", PREFIXED["digitalocean"](rng)),
    "encoded pem": lambda rng: _encoded("encoded pem", _pem(rng, "\n", True, "").text[7:]),
    "split": lambda rng: _split(rng, "split", "\n", "use {} now"),
    "split backslash": lambda rng: _split(rng, "split backslash", "\\\n", "export API_KEY={}\n"),
    "split assignment": lambda rng: _split(rng, "split assignment", "\n  ", 'api_key = "{}"\n'),
    "bearer": _assigned("bearer", "Authorization: Bearer @@\r\n", 32),
    "bearer hex": _assigned("bearer hex", "curl -H 'Authorization: Bearer @@' https://api.example.org", 32, _HEX),
    "bearer alone": _assigned("bearer alone", "sent Bearer @@ and got 200", 32, _HEX),
    "basic": _basic,
    "header json": _assigned("header json", '{"Authorization": "Bearer @@"}', 24),
    "url password": _assigned("url password", "postgres://app:@@@db.example.org:5432/app?sslmode=require", 12),
    "url token": _assigned("url token", "git clone https://@@@git.example.org/a/b.git", 40),
    "url query": _assigned("url query", "GET https://api.example.org/v1/items?page=2&token=@@&limit=5", 16),
    "url api key": _assigned("url api key", "https://maps.example.org/json?api_key=@@", 16),
    "cookie": _assigned("cookie", "Cookie: sid=@@; theme=dark", 18),
    "set-cookie": _assigned("set-cookie", "< Set-Cookie: session=@@; Path=/; HttpOnly", 18),
    "env": _assigned("env", "DB_HOST=localhost\nDB_PASSWORD=@@\nDEBUG=1", 10),
    "env letters": _assigned("env letters", "PASSWORD=@@\n", 10, string.ascii_lowercase),
    "env export": _assigned("env export", "export STRIPE_API_KEY=@@\n", 14),
    "env quoted": _assigned("env quoted", 'SECRET_KEY="@@"\n', 16),
    "env symbols": _assigned("env symbols", "ADMIN_PASSWORD=a!(@@),;&x9\n", 6),
    "aws secret": _assigned("aws secret", "aws_secret_access_key = @@\n", 40, _ALNUM + "+/"),
    "json": _assigned("json", '{"user": "ada", "api_key": "@@"}', 16),
    "json escaped": _assigned("json escaped", '{"body":"{\\"api_key\\":\\"@@\\",\\"n\\":1}"}', 16),
    "json twice escaped": _assigned("json twice escaped", 'x \\\\\\"client_secret\\\\\\":\\\\\\"@@\\\\\\" y', 16),
    "json pair": _assigned("json pair", '{"name": "DB_PASSWORD", "value": "@@"}', 12),
    "yaml": _assigned("yaml", "db:\n  user: app\n  password: @@\n", 10),
    "yaml secret": _assigned("yaml secret", "client_secret: @@\n", 16),
    "python": _assigned("python", 'PASSWORD = "@@"\nprint(1)', 10),
    "python typed": _assigned("python typed", 'token: str = "@@"\n', 20),
    "python environ": _assigned("python environ", "os.environ['ACCESS_TOKEN'] = '@@'\n", 20),
    "javascript": _assigned("javascript", "const cfg = { clientSecret: '@@', port: 1 };", 16),
    "flag": _assigned("flag", "deploy --token @@ --verbose", 16),
    "flag equals": _assigned("flag equals", "deploy --password=@@ --verbose", 10),
    "argument list": _assigned("argument list", '["deploy", "--token", "@@", "-v"]', 20),
    "xml": _assigned("xml", "<user>ada</user><password>@@</password>", 10),
    "ini": _assigned("ini", "[db]\npassword = @@\n", 12),
    "escaped newline": _assigned("escaped newline", "A=1\\nAPP_SECRET=@@\\nB=2", 16),
}


def planted(seed: int, values: int = 50) -> Iterator[Planted]:
    """`values` made-up secrets of every shape, in every place where that makes sense."""
    rng = Random(seed)
    for shape, make in PREFIXED.items():
        for number in range(values):
            place, template = list(PLACES.items())[number % len(PLACES)]
            value = make(rng)
            yield Planted(f"{shape}, {place}", template.format(value), (value,))
    for plant in CONTEXTS.values():
        for _ in range(values):
            yield plant(rng)


# --- what must stay ---------------------------------------------------------------------------


def _words(rng: Random, least: int, most: int) -> list[str]:
    return [rng.choice(_WORDS) for _ in range(rng.randint(least, most))]


def _camel(rng: Random) -> str:
    words = [word.capitalize() for word in _words(rng, 3, 7)]
    if rng.random() < 0.5:
        words.insert(
            rng.randrange(1, len(words)), rng.choice(("V2", "Http2", "Utf8", "X509", "IPv6", "K8s", "3", "Sha256"))
        )
    name = "".join(words)
    return name if rng.random() < 0.5 else name[0].lower() + name[1:]


def _path(rng: Random) -> str:
    return (
        rng.choice(("/", "./", "~/", "../"))
        + "/".join(_words(rng, 3, 8))
        + rng.choice((".py", ".tsx", "/V2/App3.rs", ""))
    )


def _integrity(rng: Random) -> str:
    name, size = rng.choice((("sha512", 64), ("sha256", 32), ("sha384", 48), ("sha1", 20)))
    return f'"integrity": "{name}-{base64.b64encode(rng.randbytes(size)).decode()}"'


def _id(rng: Random) -> str:
    lead = rng.choice(
        ("toolu_01", "call_", "msg_01", "ses_", "req_011", "chatcmpl-", "resp_", "srvtoolu_01", "thread_", "run_")
    )
    return f'"id": "{lead}{draw(rng, 24)}"'


def _image(rng: Random) -> str:
    return "data:image/png;base64," + base64.b64encode(rng.randbytes(rng.randint(30, 900))).decode()


_CODE = (
    'password = os.environ["X"]', "token: str", "token: str | None = None", "${TOKEN}", "$API_KEY", "api_key=<your-api-key>", "api_key=None",
    "sk-" + "x" * 24, "password: ****", "token = get_token(user)", "login(user, password=password, token=token)", "API_KEY=$API_KEY",
    "the password is wrong, reset your password", "if token == other.token:", 'password: "${DB_PASSWORD}"', "secret: {{ vault.secret }}",
    "self.token = self.next_token()", "max_tokens=4096, token_count: 512", "token = tokens[i + 1]", "password = getpass()", "key=lambda row: row.id",
    "api_key: process.env.API_KEY", "Authorization: Bearer $TOKEN", "Authorization: Bearer <token>", "postgres://app:${PASS}@db/app",
    'os.getenv("SECRET_KEY")', "risk-based review", "task-runner-for-everything", "disk-usage-by-folder-and-owner", "sk-circle-fade-dot-animated",
    "claude-sonnet-4-5-20250929", "gpt-4o-mini-2024-07-18", "hf_hub_download_with_progress", "PWD=/home/dev/work", "git@github.com:ada/engine.git",
    "ssh://git@example.org/a.git", "WHERE password = ?", "token: Token, secret: SecretStr", '"token_type": "bearer"', "password: required",
    "cookie = request.cookies.get('sid')", "def authorization(self) -> None:", "npm_config_user_agent_and_more", "input type=\"password\"",
)  # fmt: skip

LOOK_ALIKES: dict[str, Callable[[Random], str]] = {
    "commit": lambda rng: "commit " + draw(rng, rng.choice((7, 8, 12, 40, 64)), _HEX),
    "uuid": lambda rng: str(uuid.UUID(int=rng.getrandbits(128))),
    "digest": lambda rng: f"{rng.choice(('sha256:', 'blake3 ', 'md5='))}{draw(rng, 64, _HEX)}",
    "integrity": _integrity,
    "snake": lambda rng: "_".join(_words(rng, 3, 8)),
    "kebab": lambda rng: "-".join(_words(rng, 3, 8)),
    "screaming": lambda rng: "_".join(_words(rng, 3, 7)).upper() + rng.choice(("", "_2", "_V1")),
    "camel": _camel,
    "path": _path,
    "version": lambda rng: (
        f"v{rng.randrange(20)}.{rng.randrange(99)}.{rng.randrange(99)}-rc{rng.randrange(9)}+build.{rng.randrange(9999)}"
    ),
    "time": lambda rng: (
        f"2026-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}T10:11:{rng.randrange(60):02}.{rng.randrange(999):03}Z"
    ),
    "css": lambda rng: f".{rng.choice(('sk', 'btn', 'md', 'task', 'disk'))}-{'-'.join(_words(rng, 2, 5))}:hover",
    "ulid": lambda rng: "01" + draw(rng, 24, _CROCKFORD),
    "base32": lambda rng: draw(rng, 26, _CROCKFORD.lower()),
    "id": _id,
    "image": _image,
    "code": lambda rng: rng.choice(_CODE),
    "test name": lambda rng: (
        f"tests/{rng.choice(_WORDS)}/test_{'_'.join(_words(rng, 2, 6))}.py::test_{'_'.join(_words(rng, 3, 9))}[{rng.randrange(99)}]"
    ),
    "usage": lambda rng: json.dumps(
        {"input_tokens": rng.randrange(9999), "key": rng.choice(_WORDS), "token": rng.choice(_WORDS)}
    ),
    "number": lambda rng: (
        f"{rng.choice(('order', 'id', 'ts', 'build'))} {rng.randrange(10**7, 10 ** rng.randrange(8, 20))}"
    ),
    "phone": lambda rng: f"+{rng.randrange(1, 99)} {rng.randrange(100, 999)} {rng.randrange(10**6, 10**7)}",
    "ratio": lambda rng: f"{rng.random():.17f} of {rng.random() * 10**9:.9f}",
    "nanoseconds": lambda rng: f"at {rng.randrange(1_600_000_000_000_000_000, 1_900_000_000_000_000_000)}",
    "url": lambda rng: (
        f"https://example.org/{'/'.join(_words(rng, 2, 6))}?page={rng.randrange(99)}&sort={rng.choice(_WORDS)}"
    ),
}


def look_alikes(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """`count` harmless texts with the name of their kind, each kind as often as the others."""
    rng = Random(seed)
    kinds = list(LOOK_ALIKES.items())
    for number in range(count):
        kind, make = kinds[number % len(kinds)]
        yield kind, make(rng)
