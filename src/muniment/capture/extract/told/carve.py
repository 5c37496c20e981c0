"""A turn's own prose: what is fenced, quoted, pasted, logged or tagged is blanked out, character for character.

The blanked text has the length of the turn, so every place in it is a place in the turn.
"""

from __future__ import annotations

import re
from typing import Final

HEAD, TAIL = 12_000, 4_000
"""Of a longer turn its beginning and its end are read: in the middle stands what was pasted."""

BLANK: Final = "\x1e"
"""What stands for the characters that are not the person's own: it ends every sentence."""
QUOTED: Final = "\u2060"
"""The same within a sentence."""

_FENCE = re.compile(
    r"(?m)^[ \t]*(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n[ \t]*\1[`~]*[ \t]*$|[\s\S]*\Z)|```[\s\S]*?(?:```|\Z)"
)
_TAGGED = re.compile(r"<([A-Za-z][\w.-]{0,60})(?:\s[^<>\n]{0,300})?>[\s\S]*?(?:</\1\s*>|\Z)")
_PRIVATE_OPEN = re.compile(r"<private\b", re.IGNORECASE)
_QUOTE = re.compile(r"(?m)^[ \t]*>.*$")
_URL = re.compile(r"\b(?:https?|ssh|ftp|git|file)://\S+")
_SPOKEN = re.compile(
    r"[\"“„«]([^\"“”„»\n]{1,400})[\"”“»]|(?<![\w])['‘]([^'‘’\n]{12,400})['’](?!\w)|「([^」\n]{1,400})」|『([^』\n]{1,400})』"
)
_MOST_QUOTED_WORDS = 3

_LOG = re.compile(
    r"^\s*(?:\[?\d\d?:\d\d(?: ?[ap]m)?\]|\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|\[(?:INFO|WARN|ERROR|DEBUG|error|warn|info)|(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE|PANIC)\b[ :\[|]"
    r"|Traceback|File \"|\s+at [\w.$<>]+ ?\(|npm (?:ERR|WARN)|error(?:\[\w+\])?:|warning:|panic:|goroutine \d|Caused by|\w*(?:Error|Exception)\b ?[:(]"
    r"|FAIL\b|PASS\b|ok \d|not ok \d|✓|✗|✕|●|E {2,}|={4,}|-{4,}|\+{3} |-{3} \S|@@ |diff --git|index [0-9a-f]{7}|commit [0-9a-f]{7}"
    r"|[$%#] \S|>>> |\.\.\. |PS [A-Z]:|C:\\|\S+@\S+[:~]|Assertion\w*|Expected\b.*\bto\b|\|.*\||\[[\w# -]+\] \w+:|\w+ \[\d|From: |To: |Subject: |Sent: |Date: |On .{5,60} wrote:)"
)
_CODE = re.compile(
    r"^\s*(?:(?:const|let|var|def|class|function|import|from|export|return|public|private|static|async|await|func|fn|package|using|namespace|struct"
    r"|enum|interface|type|if|else|elif|for|while|switch|case|try|catch|except|with|print|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FROM|WHERE"
    r"|RUN|COPY|ENV|CMD)\b.*[;{}()=:\[\]]\s*\\?$|[}\])]+[;,]?\s*$|//|/\*|\*/|#include|#!|@\w+\s*$|<[/!?]?\w+[^>]*>|[\w.\[\]'\"-]+\s*(?:=|:=|\+=|=>|->)\s*\S"
    r"|[\w.-]+:\s*[\w\"'{\[/.$-][^ ]*$|[\w.]+\(.*\)\s*[;{:]?$|-{1,2}[\w-]+[ =]\S*$|[A-Z_]{3,}=|\"[\w-]+\":|\w+\s*\{\s*$)"
)
_SIGNS = re.compile(r"[{}();=<>\[\]|\\$&*^~+_]")
_INTRODUCES = re.compile(
    r"\b(?:translate|proofread|summari[sz]e|rephrase|rewrite|paraphrase|reword|spell ?check|grammar|correct (?:this|the) (?:text|sentence|paragraph|email)"
    r"|polish|review (?:this|the|my)|edit (?:this|the|my)|fix the (?:grammar|english|wording|text|tone|typos)|transcri\w+|explain (?:this|the)"
    r"|(?:email|message|mail|letter|ticket|issue|thread|transcript|conversation|chat|review|comment|log|logs|output|error|trace|stack ?trace|readme|doc|docs"
    r"|document|article|text|paragraph|sentence|abstract|cv|resume|bio|story|quote|spec|description|poem|essay|notes|lyrics|scene|dialogue|tweet|post"
    r"|answer|reply|response|feedback|prompt|snippet|code|config|file|says|said|wrote|writes|reads|goes|states|told me|asks|asked|posted|pasted|following|below)"
    r"(?: \w+){0,6}|here(?:'s| is| are) (?:the|what|his|her|their|an?)\b.*|übersetz\w*|traduis|traduire|traduce|traducir|翻译|as follows|for example|e\.g\.|example|title|headline)"
    r"\s*(?:\([^)\n]{0,60}\))?\s*[:：]\s*$",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:translate|proofread|summari[sz]e|rephrase|rewrite|paraphrase|reword|spell ?check|transcribe|übersetz\w*|traduis\w*|traduire|tradu[cz]\w+|corrige\w*|korrigier\w*)\b[^\n:]{0,120}[:：]"
    r"|翻译[^\n:：]{0,40}[:：]|\b(?:he|she|they|boss|manager|colleague|coworker|client|customer|friend|wife|husband|teacher|guy|team ?lead|someone|somebody|user|review(?:er)?)"
    r"(?: just| recently| then| also)? (?:says|said|wrote|writes|replied|asked|told (?:me|us)|emailed|sent (?:me|us)(?: this)?|answered|goes)\s*[:：]",
    re.IGNORECASE,
)


_NOTED: Final = re.compile(r"\s(?://|#|--|;;|/\*).*$")
"""A remark behind code."""
_RULE = re.compile(r"-{3,}|={3,}|\*{3,}|_{3,}|\"{3}|'{3}|#{3,}|~{3,}|<{3,}|>{3,}")
_POINTS = re.compile(
    r"\b(?:this|the|these|following|attached|below) (?:\w+ ){0,2}?(?:chat log|job ad|email|mail|message|ticket|review|transcript|paragraph|text|article|abstract|essay|letter|post|bio|cv|resume|log|logs|thread|conversation|notes|minutes|comment|comments|description|listing|announcement|draft|passage|poem|speech|statement|section|excerpt|document|issue|quote|feedback|story|lyrics|trace|error|output)s?\b[^\n]{0,60}[.?!:]$"
    r"|\b(?:proofread|summari[sz]e|rephrase|rewrite|translate|paraphrase|tl;?dr|extract|classify|grade|critique|fix the grammar)\b[^\n]{0,80}[.?!:]?$",
    re.IGNORECASE,
)


def own_prose(text: str) -> str:
    """The text with everything that is not the person's own prose blanked out; nothing moves."""
    if len(text) > HEAD + TAIL:
        text = text[:HEAD] + BLANK * (len(text) - HEAD - TAIL) + text[-TAIL:]
    text = text.replace("\u2019", "'").replace("\u02bc", "'").replace("\xa0", " ")
    if "`" in text or "~~~" in text:
        text = _FENCE.sub(_blank, text)
    if "<" in text:
        text = _TAGGED.sub(_blank, text)
    text = _QUOTE.sub(_blank, text) if ">" in text else text
    text = _URL.sub(_hidden, text) if "://" in text else text
    text = _after_introductions(text)
    text = _after_request(text) if "\n\n" in text else text
    said = _hidden if _TO_LANGUAGE.search(text) else _unquoted
    return _SPOKEN.sub(said, _lines(text) if "\n" in text else text)


def _blank(found: re.Match[str]) -> str:
    return BLANK * (found.end() - found.start())


def _hidden(found: re.Match[str]) -> str:
    return QUOTED * (found.end() - found.start())


def _unquoted(found: re.Match[str]) -> str:
    """A quoted name or term stays (its quotes become blanks); a quoted saying is somebody's words about something."""
    said = next(part for part in found.groups() if part is not None)
    if len(said.split()) <= _MOST_QUOTED_WORDS and not said.rstrip().endswith((".", "!", "?", ",")) and len(said) < 40:
        return f" {said} "
    return _hidden(found)


def _after_introductions(text: str) -> str:
    """What follows `translate this:` or `she wrote:` belongs to somebody else, to the end of the turn."""
    found = _WHOLE.search(text) if ":" in text or "：" in text else None
    return text if found is None else text[: found.end()] + BLANK * (len(text) - found.end())


_TO_LANGUAGE: Final = re.compile(
    r"\b(?:into|to|in) (?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|japanese|chinese|korean|latin|greek|turkish|arabic|swedish|czech|thai|hindi|danish|norwegian|finnish|hungarian)\b|\bhow (?:do|would) (?:you|i|we) say\b|\btranslat",
    re.IGNORECASE,
)
_TEXT_ASKED: Final = re.compile(
    r"\b(?:words?|summar\w+|meeting|letter|e?-?mail|message|paragraph|text|essay|bio|story|review|cv|resume|post|abstract|article|transcript|notes|minutes|thread|repl(?:y|ies)|respond|respon[cs]e|answer this|tone|grammar|proofread|translat\w+|rephrase|rewrite|improve|shorten|sound|bullets?|headline|title|first line|slack|ad|listing|quote|passage|excerpt|speech|toast|poem|lyrics|dialogue|scene|caption|tweet|cover letter|ticket|comment|feedback|statement|draft|tl;?dr|what does (?:this|he|she|it|that) mean|too formal|polite)\b",
    re.IGNORECASE,
)
_SPEAKS_OF_SELF: Final = re.compile(
    r"\b(?:i'm|i am|we're|we use|i work|i live|i prefer|i always|remember|from now on|our)\b", re.IGNORECASE
)


def _after_request(text: str) -> str:
    """What stands in a paragraph of its own behind a request about a text is that text."""
    head, sign, rest = text.partition("\n\n")
    if "\n" in head.strip() or len(head.split()) > 25 or BLANK in head or _SPEAKS_OF_SELF.search(head):
        return text
    if _TEXT_ASKED.search(head) is None or head.count(". ") or not rest.strip():
        return text
    return head + sign + "".join(c if c == "\n" else BLANK for c in rest)


def _lines(text: str) -> str:
    """Logs, traces, diffs, tables, code without fences, and what a line such as `here is the mail:` announces."""
    kept: list[str] = []
    pasted = ruled = False
    for line in text.split("\n"):
        bare = line.strip()
        if _RULE.fullmatch(bare):
            ruled = not ruled and any(each.strip() for each in kept)
        if not bare:
            kept.append(line)
            continue
        if pasted or ruled or _is_foreign(line, bare):
            kept.append(BLANK * len(line))
        else:
            kept.append(line)
            pasted = (bare.endswith((":", "：")) and _INTRODUCES.search(bare) is not None) or _POINTS.search(
                bare
            ) is not None
            continue
    return "\n".join(kept)


def _is_foreign(line: str, bare: str) -> bool:
    if line.startswith(("    ", "\t")) and not bare.startswith(("-", "*", "•")) and not bare[:1].isdigit():
        return True
    if _LOG.match(line) or _CODE.match(line) or (_NOTED.search(line) and _CODE.match(_NOTED.sub("", line).rstrip())):
        return True
    return len(bare) > 8 and len(_SIGNS.findall(bare)) * 9 > len(bare)
