"""What somebody likes, wants and cannot stand, read from the grammar of a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import drawing, signs
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, Told

_LIKES: Final = re.compile(
    r"\b(?:i|we)(?:'m| am)? (?:really |also |usually |generally |always |kind of |kinda |rather |just |still |much |personally |absolutely |simply |do |strongly )*(?P<w>like|love|enjoy|prefer|favou?r|adore|fond of|into|hate|dislike|loathe|detest|can't stand|cannot stand|can't bear|don't like|do not like|don't enjoy|don't do|don't want|don't eat|don't drink|not a fan of|no fan of|not into|avoid) (?P<v>[^;]{3,})"
)
_NO_LIKING: Final = re.compile(
    r"(?:(?:it|this|that|these|those|them|your|you|him|her|the (?:idea|way|look|sound|direction|one|first|second|third|last|result|new|fact)|to (?:see|know|hear|ask|get|learn|understand|thank|have you|be sure|point)|what|where|how|when you (?:said|did)|any of)\b|(?:correct|good|working|software that|code that|things that work))"
)
_LIKING_ENDS: Final = re.compile(
    r",? (?:so|but|because|since|can|could|do you|what|how|and (?:i|can|then|that|we)|as (?:i|it|they)|which)\b|[;:(—–]|, (?:do|can|what|how|which|so|but|you know|i|it|they|to)\b"
)
_NEGATIVE_LIKING: Final = frozenset("hate dislike loathe detest avoid".split())
_WANTED: Final = re.compile(
    r"^(?:\W|(?:also|and|so|oh|but|please|ok)\b)*(?:(?:in|for|with|on|when) (?!this|that|the (?:next|last|first|second|file|function)|now|case|order|example)(?P<c>[\w' #+.-]{3,40}?),? (?:i|we) (?:always |only |usually |just )?(?:want|like|prefer|expect|need|love|use|go for|insist on|hate|don't want|never want)|(?:i|we) (?:always|only|usually|generally|normally) (?:want|like|prefer|expect)|(?:whatever|whenever|anything|everything|all|every \w+) (?:\w+ ){0,2}?you (?:generate|write|make|send|show|produce|draft|give|create|suggest|do)\b(?: for me| me)?[^,;]{0,30}? (?:should|must|has to|needs to|is|are|has)(?: be)?) (?P<v>[^;]{3,})"
)
_WHEN_YOU: Final = re.compile(
    r"^(?:\W|(?:also|and|so|oh|but|please|ok)\b)*(?:when(?:ever)?|if|every time|each time|any ?time) you (?:write|show|give|make|generate|draw|plot|name|explain|summari[sz]e|send|suggest|cite|quote|list|translate|draft|produce|review|answer|reply|describe|compare|propose|edit|code|format|create|put)\b[^,]{0,60}, ?(?:please |then |just |i (?:want|like|prefer) )?(?P<v>(?!i\b|it\b|the (?:output|result|test|page)|you (?:get|forget|always)|there)[^;]{4,120})"
)
_BEATS: Final = re.compile(
    r"^(?:\W|(?:so|and|for me|to me|because)\b)*(?P<v>(?:an? |one )?[\w -]{3,40} (?:beats?|over|rather than|instead of|not|are better than|is better than|work better (?:for me )?than|trumps?) [\w -]{3,40}?)(?: for me| to me| any day| every (?:single )?time| always| please|,? wherever possible|,? where(?:ver)? (?:possible|you can)|,? if possible|,? when(?:ever)? possible)+$"
)
_EASIER: Final = re.compile(
    r"\bi (?:always |usually |often )?(?:find|think|consider) (?P<v>[^,;]{3,40}? (?:easier|better|nicer|clearer|calmer|more \w+|less \w+|hard|harder|annoying|ugly|distracting|unreadable|exhausting)\b[^,;]{0,30})"
)


def liked(clause: Clause) -> Iterator[Told]:
    """What I or we like, want in a kind of thing, find better, or cannot stand."""
    low = clause.low
    found = _LIKES.search(low)
    if (
        found is not None
        and found.start() < 40
        and not _NO_LIKING.match(found["v"])
        and not signs.is_third(low[: found.start()].strip() or "i")
    ):
        cut = _LIKING_ENDS.search(low, found.start("v"))
        end = cut.start() if cut is not None else len(low)
        if found["w"] in ("love", "like", "into") and len(low[found.start("v") : end].split()) < 1:
            return
        avoids = found["w"] in _NEGATIVE_LIKING or re.search(r"n't|not|no fan", found["w"]) is not None
        yield from drawing.one(clause, "preference", "avoids" if avoids else "prefers", found.start("v"), end, ME, "")
        return
    found = _WANTED.match(low) or _WHEN_YOU.match(clause.whole[clause.start - clause.origin :])
    if found is not None:
        avoids = (
            re.search(r"(?:hate|don't want|never want)$", low[found.start() : found.start("v")].rstrip()) is not None
        )
        at = found.start("v")
        source = low if found.re is _WANTED else clause.whole[clause.start - clause.origin :].rstrip(" .!?")
        for part in re.split(r"(, (?:and )?| and (?=an? |the |no |two |[a-z]+ [a-z]+$))", source[at:]):
            if (
                len(part.split())
                and not re.fullmatch(r", (?:and )?| and ", part)
                and not re.match(r"(?:we're|i'm|it's|because|so|but|not that)\b", part)
            ):
                place = at + clause.start, at + clause.start + len(part.rstrip(" ,.;"))
                turned = avoids or part.startswith("no ")
                yield Told(
                    "preference",
                    "avoids" if turned else "prefers",
                    ME,
                    place[0] + (3 if part.startswith("no ") else 0),
                    place[1],
                    "",
                    (),
                    signs.is_hedged(clause),
                    near=clause.start,
                )
            at += len(part)
        return
    for pattern in (_BEATS, _EASIER):
        found = pattern.search(low)
        if found is not None and not re.match(r"\W*(?:it|this|that)\b", found["v"]):
            yield from drawing.one(clause, "preference", "prefers", *found.span("v"), ME, "")
            return


_BARE: Final = re.compile(
    r"^\W*(?:i )?(?:really |also |just |honestly |absolutely )*(?P<w>hate|love|prefer|dislike|loathe|detest|adore|can't stand|don't like|never liked) (?:it when |when |having |getting |seeing |to see )?(?P<v>(?!it\b|this|that\b|these|those|your|the (?:way|idea|new|look|second|first|last)|how\b|you\b|them)[^;]{4,80})"
)
_WHAT_WORKS: Final = re.compile(
    r"^\W*what (?:works|helps|suits)(?: best)?(?: for)? me(?: most| best)? (?:is|are) (?P<v>[^;]{4,})"
)
_NO_FAN: Final = re.compile(
    r"^\W*(?:also )?(?:not (?:an? )?(?:big |huge |great |real )?fan of|no fan of|can't stand|cannot stand|allergic to|sick of|tired of) (?P<v>(?!this|that|it\b|your|the )[^,;]{3,60})"
)
_PUTS_OFF: Final = re.compile(
    r"^\W*(?P<v>[\w' -]{4,50}?) (?:puts? me off|distracts? me|overwhelms? me|confuses? me|bores? me|slows? me down|hurts? my (?:eyes|head)|makes? (?:me|my eyes) (?:dizzy|tired|cringe)|(?:is|are) (?:wasted on me|not for me|not my thing))\b"
)
_SUITS: Final = re.compile(
    r"^\W*(?P<v>[\w' -]{4,50}?) (?:works? (?:best|better|well) for me|helps? me (?:most|best|a lot|focus|think|learn|remember)|suits? me(?: best| better)?|(?:is|are) (?:easier|better|best) for me)\b"
)


def suits(clause: Clause) -> Iterator[Told]:
    """`long explanations put me off`, `diagrams work best for me`."""
    bare = _BARE.match(clause.low) if clause.opens else None
    if bare is not None:
        predicate = "prefers" if bare["w"] in ("love", "prefer", "adore") else "avoids"
        yield from drawing.one(clause, "preference", predicate, *bare.span("v"), ME, "")
        return
    for pattern, predicate in (
        (_PUTS_OFF, "avoids"),
        (_WHAT_WORKS, "prefers"),
        (_NO_FAN, "avoids"),
        (_SUITS, "prefers"),
    ):
        found = pattern.match(clause.low)
        if found is not None and not re.match(r"(?:it|this|that|these|those|they|you)\b", found["v"]):
            yield from drawing.one(clause, "preference", predicate, *found.span("v"), ME, "")
            return
