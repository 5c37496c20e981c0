"""What keeps a clause from stating anything that lasts, and what makes a statement less than sure."""

from __future__ import annotations

import re
from typing import Final

from muniment.capture.extract.told.clauses import Clause

_HYPOTHETICAL: Final = re.compile(
    r"^(?:(?:and|so|but|ok|okay|well|then|now|like)\s+)*(?:if (?:i|we|you|it|my|our) (?:were|was|had|could|would|wanted|used|moved|switched|went|needed|decided|chose|started)"
    r"|suppose|supposing|imagine|imagining|let's (?:say|pretend|imagine|assume)|lets (?:say|pretend|imagine|assume)|say (?:we|i|you|that)\b|assume(?! (?:that )?i (?:know|understand|have|am|can|don't|already))|assuming|hypothetically|pretend|what if|what about"
    r"|in theory|for example|for instance|e\.g\b|as an example|in an ideal world|ideally|were (?:we|i)\b|had (?:we|i)\b|in case (?:we|i)|unless|whether)"
    r"|\b(?:as if|if i were|if we were|were to|i wish|we wish|i could|we could|i would(?! rather)|we would|we'd|i might|we might|should i|should we|might want|wondering (?:if|whether)"
    r"|hypothetical\w*|theoretically|thinking (?:of|about)|thought (?:of|about)|considering|not sure (?:if|whether)|don't know (?:if|whether)|toying with|debating|torn between|deciding between|evaluating|looking into|exploring)\b"
)
_IF: Final = re.compile(
    r"^(?:(?:and|so|but|ok|okay|well|then|now)\s+)*(?:only )?(?:if|unless|in case|suppose|assuming)\b"
)
_SUPPOSES: Final = re.compile(
    r"(?:(?:and|so|but|ok|okay|well|then|now|like)[,\s]+)*(?:suppose|supposing|imagine|imagining|let's (?:say|pretend|imagine|assume)|lets (?:say|pretend|imagine|assume)|say (?:we|i|you|that)\b|assume|assuming|hypothetically|pretend|what if|if (?:i|we|you|it|my|our) (?:were|was|had|could|would|wanted))"
)
_IRREALIS: Final = re.compile(r"\b(?:would|could|were|had|'d)\b")
_PAST: Final = re.compile(
    r"\b(?:used to(?! (?:it|this|that|the|seeing|working|writing))|back then|back when|in the past|previously|formerly|years ago|at my (?:last|previous|old|former) (?:job|company|gig|place|employer|role|team)"
    r"|my (?:old|former|previous|last) (?:job|company|team|boss|project|employer|startup|laptop)|once upon|when i (?:lived|was|worked|used|studied)|was using|were using|were on|was on|were running|had been|no longer|not anymore|last (?:job|company|gig)|in my (?:last|previous|old) (?:job|company|team|role|project|gig|place|apartment|school))\b"
)
_TEMPORARY: Final = re.compile(
    r"\b(?:for now|for the moment|for the time being|temporar\w+|temporär|until (?:the \w+(?: \w+)? (?:is|are|gets?|arrives?|lands?|works?)|we|i|it|they|he|she|that|this|then|further notice|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|next|then|the (?:fix|release|patch|weekend|end)|we|i|it|they|that|this|\d)"
    r"|just this once|this once|this time|just for (?:this|today|now|the|a)|only for (?:this|today|now)|for this (?:one|test|time|task|file|pr|session|example|exercise|function|script|ticket|commit|branch|demo|bug|question|message|email|part|section|case|run)|in this (?:essay|letter|email|text|article|draft|doc|document|chapter|post|poem|story|slide|deck|table|list|view|screen|form|page|report|query|loop|schema|diagram|chart|one|step|round|pass|commit|file|function|pr|case|example|test|snippet|method|class|component|section|paragraph|message|chat|instance|module|script|branch|commit)"
    r"|for today|today only|as a (?:quick |temporary |short[- ]term )?(?:hack|stopgap|workaround|experiment)|quick hack|today i'm|today we|right now|at the moment|this (?:week|weekend|morning|afternoon|evening) (?:i'm|we're|only)|tonight|short[- ]term|borrowed|while (?:my|the) .{3,30} is (?:being|in|broken|down)|on loan)\b"
)
_THIRD: Final = re.compile(
    r"^(?:(?:and|but|so|also|because|since|as|well|ok|plus)\s+)*(?:he|she|they|he's|she's|they're|he'd|she'd|they'd|his|her|their|some(?:one|body| people| folks| devs| teams)?|people|everyone (?:else|says|online|there)|many|most (?:people|devs|teams|companies)|nobody|others|folks|the (?:client|customer|docs?|documentation|article|author|tutorial|book|video|blog|blog post|post|internet|reviewer|vendor|guy|maintainers?|readme|error|log|message|ticket|user|other team|competition|competitors?|interviewer|professor|teacher|recruiter|manager|boss|ceo|cto)"
    r"|my (?:flatmate|housemate|landlord|landlady|grandma|grandpa|kid|kids|ex|boss|manager|colleague|coworker|co-worker|friend|buddy|teacher|professor|wife|husband|girlfriend|boyfriend|partner|mom|dad|mother|father|brother|sister|roommate|lead|team lead|tech lead|mentor|client|customer|cousin|nephew|niece|uncle|aunt|neighbour|neighbor|advisor|supervisor|ceo|cto|teammate|coach|tutor|instructor)"
    r"|(?:a|one of (?:my|our|the)) (?:colleague|coworker|friend|client|customer|teammate|user|guy|dev|devs|colleagues|coworkers|friends|clients|customers|teammates|users)s?|our (?:client|customer|competitor|competitors|vendor|old team|ceo|cto|boss))\b"
)
_ATTRIBUTED: Final = re.compile(
    r"\b(?:he|she|they|people|everyone|someone|somebody|boss|manager|colleague|coworker|friend|client|customer|wife|husband|teacher|professor|docs?|article|author|tutorial|blog|reviewer|lead|mentor|guy|documentation|readme|linter|compiler|chatgpt|copilot|claude|gemini|stack ?overflow|reddit|hacker news|book|video|course|neighbou?r|ceo|cto|nephew|niece|roommate|mom|dad|mother|father|brother|sister|cousin|partner|advisor|supervisor)"
    r" (?:always |just |also |still |usually |once |recently |even |all )?(?:says?|said|tells?|told|thinks?|thought|claims?|claimed|suggests?|suggested|recommends?|recommended|insists?|insisted|wants?|wanted|believes?|believed|argues?|mentioned|likes?|loves?|hates?|prefers?|swears?|asked|keeps? (?:saying|telling))\b|\byour \w+ (?:says?|said|assumes?|assumed|claims?|claimed|mentions?|lists?)\b|\baccording to\b|\bi (?:read (?:that|somewhere|about|online|on|in an?)|heard|saw (?:that|somewhere|on)|was told|'ve (?:read|heard|seen)|keep hearing)\b"
)
_ROLE_PLAY: Final = re.compile(
    r"\b(?:you are (?:now )?(?:a|an|the|my|playing|acting)\b|you're (?:now )?(?:a|an|playing|acting)\b|act as|acting as|act like|pretend|role-?play\w*|imagine (?:you|that you|i'm|i am|we|a)\b|in character|in the voice of|from the perspective of|my character|the character|in my (?:story|novel|game|book|screenplay|script|comic)\b.{0,30}\b(?:hero\w*|character|villain|works|lives|is|she|he)|the heroine|the hero|as a character|play the role|take the role|your role is|you will be|write (?:me )?(?:a|an|the|some|another)"
    r" (?:\w+ ){0,3}(?:story|scene|poem|dialogue|monologue|song|screenplay|script for|short story|novel|haiku|limerick|sketch|speech|fan ?fic\w*|letter from|persona|skit|chapter|diary|rap|toast|cover letter for a character|conversation between|bedtime story|joke|tweet|post|bio)|dungeon master|let's play|text adventure|the narrator|protagonist|(?:mock|practice|fake|sample) (?:interview|conversation|user|persona|profile|bio)|as my (?:therapist|interviewer|opponent)|the story|chapter \d|(?:speak|talk|answer|write|respond|reply) as (?:if you were |my |an? |the )|do improv|improvi[sz]e|simulate|simulating|character sheet|you(?:'re| are) (?:captain|the (?:suspect|detective|knight|villain|customer|interviewer|boss))|from now on you are|persona:|in this (?:scenario|game|scene)|stage directions?|once upon a time|my d&d|dungeons?|npc|backstory|fan ?fiction|du bist (?:ein|eine|jetzt)|tu es (?:un|une)|eres (?:un|una)|你是一个|你现在是|扮演|stell dir vor|tu pr[ée]tends|imagine que|imagina que)\b"
)
_WITHDRAWN: Final = re.compile(
    r"\b(?:(?:forget|ignore|drop|delete|disregard|scratch) (?:that|it|what i|about|everything|the thing|all (?:of )?that|your notes)|never ?mind|nvm|scrap that|ignore (?:that|what i|my|the (?:last|previous))|disregard|strike that|cancel that|take that back)\b"
)
_JOKE: Final = re.compile(r"\b(?:just kidding|jk|kidding|sarcasm|/s|lmao jk)\b")
_HEDGE: Final = re.compile(
    r"\b(?:i think|i guess|i believe|i suppose|maybe|perhaps|probably|possibly|presumably|might|may be|kind of|kinda|sort of|sorta|i'd say|i would say|not sure|not 100%|not entirely sure|leaning|more or less|roughly|something like|or so|or something|if i remember|iirc|afaik|as far as i (?:know|remember|can tell)|i assume|seems?|apparently|likely|should be on|must be on|pretty sure|fairly sure|supposedly|i reckon|reckon|usually i'd|ich glaube|vielleicht|wahrscheinlich|je crois|peut-être|je pense|creo que|quizás|quizá|tal vez|probablemente|wohl|我觉得|可能|也许|大概|应该是)\b|我觉得|可能|也许|大概|应该是"
)
_SECRET: Final = re.compile(
    r"\b(?:login|creds|password|passwd|pwd|pw|door code|alarm (?:pin|code)|gate code|entry code|safe code|combination|my card|account number|routing number|recovery (?:code|phrase)|seed phrase|2fa|otp|passwort|passphrase|passcode|pass ?word|api[ -_]?key|access[ -_]?key|secret[ -_]?key|secret|private key|token|credential\w*|credit card|card number|cvv|ssn|social security|iban|pin(?: code| is| number)|passport number|license key|contraseña|mot de passe|kennwort|密码|口令|密钥)\b|密码|口令|密钥|\*{3,}|█|\[masked"
)
_LOGIN: Final = re.compile(
    r"\b(?:login|creds|credentials|user(?:name)?)\b.{0,15}?(?:\bis\b|\bare\b|[:=])\s*\S+\s*(?:/|and|with)\s*\S+[\d!@#$%&*]\S*"
)
"""A name to log in with, and what looks like its word."""
_SECRET_TALK: Final = re.compile(
    r"\b(?:manager|managers|rotation|rotate|policy|hashing|hash|login|auth|vault|management|length|reset|design token|tokens per|token budget|token limit|token count)\b"
)


_HANDED: Final = re.compile(
    r"\b(?:\d{4}[ -]\d{4}[ -]\d{4}|door code|alarm (?:pin|code)|gate code|entry code|safe code|combination|pw|passwd|pwd|my card|account number|seed phrase|password|passwort|passphrase|passcode|api[ -_]?key|access[ -_]?key|secret[ -_]?key|secret|private key|token|credential\w*|credit card|card number|card|cvv|ssn|social security(?: number)?|iban|pin|pin code|passport number|license key|contraseña|mot de passe|kennwort|key)\b[^.,;]{0,30}?(?:\bis\b|\bare\b|\bist\b|\best\b|\bes\b|[:=])\s*(?!(?:rotated|stored|kept|in|managed|not|required|needed|handled|expired|valid|shared|checked|a|an|the|too|only)\b)\S"
    r"|(?:密码|口令|密钥)\S{0,6}(?:是|：|:)"
)


_TASK: Final = re.compile(
    r"(?:(?:ok|okay|now|then|and|so|also|please|pls|can you|could you|would you|let's|just|next|first|finally|good|great|thanks|yes|no|fine|perfect|alright|hmm)[,\s]+)*"
    r"(?:fix|add|refactor|implement|create|update|check|remove|rename|find|debug|look|change|move|convert|generate|build|test|review|merge|delete|install|migrate|extract|split|revert"
    r"|investigate|optimi[sz]e|upgrade|bump|clean|rewrite|port|wire|hook|handle|replace|continue|go (?:on|ahead|through|back)|try|open|help|compare|draft|draw|plot|list|output|print|render|export|describe|summari[sz]e|translate|sketch|design|set up|figure out|double-check|rerun|restart|reproduce|verify|commit (?:this|it|that)|push|rebase|squash)\b"
)
_LASTS: Final = frozenset(
    "always never from every each whenever i we i'm im we're i've we've my our ours me us don't dont prefer hate stop rule general default actually not no remember everywhere until future reference".split()
)


def is_task(clause: Clause) -> bool:
    """Does the clause only give a task, with no word in it that speaks of more than the task?"""
    return _LASTS.isdisjoint(clause.words) and _TASK.match(clause.low) is not None


def is_role_play(low: str) -> bool:
    """Does the turn ask to play somebody, or for somebody's lines?"""
    return _ROLE_PLAY.search(low) is not None


def is_barred(clause: Clause) -> bool:
    """Does the clause state nothing that lasts: supposed, over, for now, somebody else's, withdrawn, or a secret?"""
    if clause.barred is None:
        clause.barred = _is_barred(clause)
    return clause.barred


def _is_barred(clause: Clause) -> bool:
    low = clause.low
    if _HYPOTHETICAL.search(low) or _PAST.search(low) or _TEMPORARY.search(low) or _WITHDRAWN.search(low):
        return True
    if (
        clause.before
        and not clause.link
        and (
            _TEMPORARY.search(clause.before)
            or (_PAST.search(clause.before) and clause.before.rstrip()[-1:] not in (",", ";", ":", "—", "–"))
        )
    ):
        return True  # what runs on without a sign belongs to what stands before it
    if _is_supposed(clause) or _THIRD.match(low) or _ATTRIBUTED.search(low):
        return True
    return _JOKE.search(clause.whole) is not None or is_secret(low)


def is_suspended(clause: Clause) -> bool:
    """Is it supposed, for now, withdrawn, or a secret? Somebody else may be spoken of: in a correction he is the matter."""
    low = clause.low
    if _HYPOTHETICAL.search(low) or _TEMPORARY.search(low) or _WITHDRAWN.search(low) or is_secret(low):
        return True
    return _is_supposed(clause) or _ATTRIBUTED.search(low) is not None


def is_temporary(low: str) -> bool:
    """Do the words say that it holds for a while only?"""
    return _TEMPORARY.search(low) is not None


def is_supposed(low: str) -> bool:
    """Do the words suppose rather than state?"""
    return _HYPOTHETICAL.search(low) is not None


def is_secret(low: str) -> bool:
    """Do the words hand over a secret?"""
    return _LOGIN.search(low) is not None or (
        _SECRET.search(low) is not None
        and _SECRET_TALK.search(low) is None
        and (_HANDED.search(low) is not None or "***" in low or "\u2588" in low)
    )


def is_third(low: str) -> bool:
    """Is somebody else the subject, or are the words somebody else's?"""
    return _THIRD.match(low) is not None or _ATTRIBUTED.search(low) is not None


def is_hedged(clause: Clause) -> bool:
    """Is it said with a hedge?"""
    if clause.hedged is None:
        clause.hedged = _HEDGE.search(clause.low) is not None or _HEDGE.search(clause.before[-12:]) is not None
    return clause.hedged


def _is_supposed(clause: Clause) -> bool:
    """The rest of a sentence that supposes is supposed too."""
    if not clause.before:
        return _IF.match(clause.low) is not None
    if _SUPPOSES.match(clause.before.strip()):
        return True
    return _IF.match(clause.before.strip()) is not None and _IRREALIS.search(clause.whole) is not None
