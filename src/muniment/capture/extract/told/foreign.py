"""The plain frames in German, French, Spanish and Chinese, for turns that are written in one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, PROJECT, Frame, Told, Value, compiled, frame
from muniment.capture.extract.told.slots import known_tools, phrase, span

_MARKS: Final = {
    "de": frozenset("ich wir nicht und der die das ist bitte unser unsere mein meine kein keine auf mit für dass ein eine uns mir dir nie immer heiße nein du den dem zu bei im merk sind habe haben von wie als auch noch nur antworte".split()),
    "fr": frozenset("je nous est et pas le la les ne pour c'est mon ma mes notre nos une un des du dans avec qui que sur j'ai j'utilise on toujours jamais moi tu suis sont pas non s'il réponds désormais chez au aux ce sera".split()),
    "es": frozenset("yo que el la los las es no en mi mis nuestro nuestra usamos uso con para por favor soy una un del siempre nunca prefiero trabajo y se lo al me nos como recuerda somos estamos de tengo hola".split()),
}  # fmt: skip
_SURE: Final = {
    "de": frozenset("wir ich unsere unser nutzen verwenden heiße bitte merk".split()),
    "fr": frozenset("nous je notre c'est j'utilise utilisons désormais".split()),
    "es": frozenset("usamos nuestro nuestra prefiero soy recuerda trabajo".split()),
}
_ENGLISH: Final = frozenset(
    "the is and i i'm im i've we we're to of it it's you that for with my our your this not don't are can have has be use at but or what how please do does by from just mostly need want using".split()
)
_CJK: Final = re.compile(r"[\u3400-\u9fff]")
_KANA: Final = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_LETTERS: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def language(low: str) -> str:
    """de, fr, es, zh; empty for English and all else."""
    if not low.isascii() and _CJK.search(low) and not _KANA.search(low):
        return "zh" if 3 * len(_CJK.findall(low)) > len(low) * 0.8 else ""
    words = _LETTERS.findall(low[:600])
    counts = {name: sum(w in marks for w in words) for name, marks in _MARKS.items()}
    best = max(counts, key=lambda n: counts[n])
    english = sum(w in _ENGLISH for w in words)
    if not english and not _SURE[best].isdisjoint(words):
        return best
    return best if counts[best] >= 2 and counts[best] > english + 1 and counts[best] * 5 >= len(words) else ""


_DE_STOP: Final = r",|\s(?:und (?:ich|wir|die|das|der|kannst|bitte|will|brauche|habe|möchte|arbeite|wohne|suche)|aber|weil|da wir|denn|damit|sondern|statt|anstatt|als auch|kannst du|können wir|wie|bitte|gerade)\b|;"
_FR_STOP: Final = r",|\s(?:et (?:je|nous|on|il|elle|peux|j'|c'est|la|le)|mais|parce que|car|puisque|pour que|plutôt que|au lieu de|peux-tu|s'il te pla[iî]t|s'il vous pla[iî]t|stp|svp|comment|et pas|pas)\b|;"
_ES_STOP: Final = r",|\s(?:y (?:quiero|necesito|me|no|mi|la|el|puedes|tengo|vivo|trabajo|estoy|uso)|pero|porque|ya que|para que|en lugar de|en vez de|puedes|por favor|cómo|y no|así)\b|;"
_ZH_STOP: Final = r"[，。；！？,;!?]|而不是|但是|但|因为|所以|请|帮我|怎么"
_MONTHS: Final = r"(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
_WHEN: Final = rf"(?:(?:der |dem |den |le |el |la |das )?(?:\d{{1,2}}\.?(?:er|º)? ?(?:de )?{_MONTHS}|{_MONTHS}|\d{{1,2}}[./]\d{{1,2}}\.?(?:\d{{2,4}})?|ende \w+|anfang \w+|mitte \w+|fin \w+|finales de \w+|nächste\w* \w+|la semaine prochaine|le mois prochain|la próxima semana|el próximo \w+|kw ?\d+|q[1-4]|20\d\d|herbst|sommer|frühling|winter|weihnachten|noël|navidad|lundi|mardi|mercredi|jeudi|vendredi|montag|dienstag|mittwoch|donnerstag|freitag|lunes|martes|miércoles|jueves|viernes))"
_NAME: Final = r"(?P<v>[^\W\d_][\w'-]+(?: (?!(?:und|et|y|aus|de|von|à|en|chez|je|ich|trabajo)\b)[^\W\d_][\w'-]+)?)"

_DE_REMEMBER: Final = r"^(?:bitte )?(?:merk(?:e)? dir(?: bitte)?(?:(?: mal)?[,:]? dass|[:,])?|denk dran[,:]?(?: dass)?|denk daran[,:]?(?: dass)?|zur info:|für später:|notiz:|notier(?:e)?(?: dir)?[,:]?(?: dass)?|vergiss nicht[,:]? dass|behalte? im kopf[,:]? dass|nur damit du(?:'s| es)? weißt:) (?P<v>)"

_FR_REMEMBER: Final = r"^(?:s'il te plaît,? )?(?:souviens-toi|rappelle-toi|retiens|n'oublie pas|note(?: bien)?|pour info|pour plus tard|garde en tête|pour la suite)(?: bien)?(?: que| qu'|,? ?:|,) ?(?P<v>)"

_ES_REMEMBER: Final = r"^(?:por favor,? )?(?:recuerda|acuérdate de|ten en cuenta|no olvides|apunta|anota|para que lo sepas|para más adelante|nota)(?: que|,? ?:|,) ?(?P<v>)"

_ZH_REMEMBER: Final = r"^(?:请)?(?:帮我)?(?:记住|记一下|记得|请记住|备注)(?:：|:|，|,)(?P<v>)"

_REMEMBER: Final = {"de": _DE_REMEMBER, "fr": _FR_REMEMBER, "es": _ES_REMEMBER, "zh": _ZH_REMEMBER}
_FAMILY: Final = {
    "named": "identity", "member_of": "identity", "located_in": "identity", "speaks": "identity", "uses": "stack", "prefers": "preference",
    "avoids": "preference", "practises": "procedure", "building": "project", "targets": "project", "requires": "project",
    "migrating": "project", "decided": "decision", "rejected": "decision",
}  # fmt: skip
_BARRED: Final = {
    "de": re.compile(r"\b(?:würde|wäre|hätte|könnte|angenommen|stell dir vor|früher|damals|vorerst|erstmal|erst mal|vorübergehend|momentan nur|mein chef|meine chefin|er sagt|sie sagt|mein kollege|meine kollegin|der kunde|laut|falls|was wenn|ob|vielleicht sollten|in dieser datei|hier in der|übersetze|übersetz|nur heute|passwort|kennwort|überlege\w*|die leute|sie (?:nutzen|verwenden))\b"),
    "fr": re.compile(r"\b(?:si (?:j'étais|on était|j'avais|on avait|nous)|serait|aurait|pourrait|imagine|suppose\w*|avant,? (?:je|on)|autrefois|à l'époque|pour l'instant|pour le moment|temporairement|mon chef|ma chef|il dit|elle dit|mon collègue|ma collègue|le client|d'après|selon|dans ce fichier|ici dans|traduis|mot de passe|on hésite|j'hésite|ils (?:utilisent|préfèrent))\b"),
    "es": re.compile(r"\b(?:si (?:fuera|fuéramos|tuviera|usáramos|estuviera)|sería|habría|podría|imagina|supón|supongamos|antes (?:usaba|usábamos|trabajaba)|en aquel|por ahora|de momento|temporalmente|mi jefe|mi jefa|él dice|ella dice|mi compañero|mi compañera|el cliente|según|en este archivo|traduce|contraseña|dudando|ellos (?:usan|prefieren))\b"),
    "zh": re.compile(r"如果|假如|假设|要是|以前|之前用|曾经|暂时|临时|老板说|他说|她说|同事|客户|据说|翻译|密码|口令|想象|扮演|是不是|吗|要不要|考虑|这个函数|这个文件"),
}  # fmt: skip
_HEDGED: Final = {
    "de": re.compile(r"\b(?:glaube|vielleicht|wahrscheinlich|vermutlich|wohl|denke|eventuell)\b"),
    "fr": re.compile(r"\b(?:crois|peut-être|pense|probablement|sans doute|je suppose)\b"),
    "es": re.compile(r"\b(?:creo|quizás?|tal vez|probablemente|supongo|a lo mejor)\b"),
    "zh": re.compile(r"我觉得|可能|也许|大概|应该是|好像"),
}  # fmt: skip
_NO: Final = {
    "de": re.compile(r"^(?:nein|falsch|doch nicht|das stimmt nicht|das ist falsch|stimmt nicht|moment)[,.! ]+"),
    "fr": re.compile(r"^(?:non|faux|c'est faux|pas du tout|ce n'est pas ça)[,.! ]+"),
    "es": re.compile(r"^(?:no|falso|incorrecto|eso no es así|te equivocas)[,.! ]+(?=es |usamos |son |se |me |el |la |estamos |soy )"),
    "zh": re.compile(r"^(?:不对|不是|错了|不|不，)[，,。! ]*(?=是|我|应该|用|叫)"),
}  # fmt: skip
_IT_IS: Final = re.compile(
    r"(?:es ist |es sind |das ist |wir nutzen |wir verwenden |ich heiße |c'est |on utilise |je m'appelle |es |son |usamos |me llamo |是|我们用的是|我们用|应该是|叫)\s*"
)
_NOT: Final = re.compile(r",? ?(?:und )?(?:nicht|kein[en]*|pas|et pas|no|y no|不是|而不是) ?(?P<wrong>[^,;，]{1,40})$")


def read(clauses: list[Clause], name: str) -> Iterator[Told]:
    """What a turn in that language tells."""
    for clause in clauses:
        barred = _BARRED[name].search(clause.low) is not None
        hedged = _HEDGED[name].search(clause.low) is not None
        remembered = compiled(_REMEMBER[name]).search(clause.low)
        if barred or (clause.asks and not _is_implied(name, clause)):
            continue
        if remembered is not None and not clause.asks:
            place = span(clause, remembered.end(), len(clause.low), keep_article=True)
            if place is not None:
                yield Told("remember", "noted", PROJECT, *place, "", ("project.note", "workflow"), hedged)
            continue
        corrected = list(_corrected(clause, name)) if not clause.asks else []
        yield from corrected
        if not corrected:
            yield from _framed(clause, name, hedged=hedged)


def _is_implied(name: str, clause: Clause) -> bool:
    return any(f.in_question and compiled(f.pattern).search(clause.low) for f in _FRAMES[name])


def _framed(clause: Clause, name: str, *, hedged: bool) -> Iterator[Told]:
    taken: list[tuple[int, int]] = []
    for f in _FRAMES[name]:
        if clause.asks and not f.in_question:
            continue
        for found in compiled(f.pattern).finditer(clause.low):
            for value in f.slot(clause, found):
                if any(value.start < end and start < value.end for start, end in taken):
                    continue
                taken.append((value.start, value.end))
                topic = f.topic if value.topic is None else value.topic
                family = _FAMILY.get(f.predicate) or f.tags[0].split(".")[0]
                subject = ME if value.personal else f.subject
                yield Told(family, f.predicate, subject, value.start, value.end, topic, value.tags or f.tags, hedged or f.weak, None, subject == ME, clause.start)  # fmt: skip


def _corrected(clause: Clause, name: str) -> Iterator[Told]:
    """`nein, es ist X, nicht Y`."""
    opened = _NO[name].match(clause.low)
    if opened is None:
        return
    is_ = _IT_IS.match(clause.low, opened.end())
    start = is_.end() if is_ is not None else opened.end()
    wrong = _NOT.search(clause.low, start)
    if is_ is None and wrong is None:
        return
    end = wrong.start() if wrong is not None else len(clause.low)
    place = span(clause, start, end, keep_article=True)
    if place is None:
        return
    for value in known_tools(clause, re.compile(r"").search(clause.low, start)):  # type: ignore[arg-type]
        if value.end <= place[1]:
            yield Told("correction", "uses", PROJECT, value.start, value.end, value.topic or "", value.tags)
    at = (clause.start + wrong.start("wrong"), clause.start + wrong.end("wrong")) if wrong is not None else None
    yield Told("correction", "corrected", ME, *place, "", ("project.correction",), wrong=at)


# --- slots


_NEGATED: Final = re.compile(r"\b(?:kein\w*|nicht|pas|jamais|ne|no|nunca|ni|nie)\b|不")


def _tools(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """Known tools after the frame up to a word of negation."""
    stop = _NEGATED.search(clause.low, found.start())
    for value in known_tools(clause, found):
        if stop is None or value.end <= clause.start + stop.start():
            yield value


def _capital(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """A name that is written as one."""
    start, end = found.span("v")
    words = clause.raw[start:end].split()
    if words and words[0][0].isupper():
        kept = len(words[0]) if len(words) < 2 or not words[1][0].isupper() else end - start
        yield Value(clause.start + start, clause.start + start + kept)


_NO_TOWN: Final = frozenset(
    "zukunft deutsch englisch ordnung teilzeit vollzeit ausbildung rente elternzeit python java rust go general français anglais español inglés".split()
)


def _place_here(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """A place behind a trade, written as a name."""
    for value in _capital(clause, found):
        if (
            clause.low[value.start - clause.start : value.end - clause.start].split()[0] not in _NO_TOWN
            and not clause.asks
        ):
            yield value


def _bare_name(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """A name behind `I am`: no word for a job, and no adjective."""
    start = found.start("v")
    word = clause.low[start : found.end("v")].split()[0]
    if re.search(r"(?:er|erin|ent|eur|euse|ienne?|ista|dora?|ero|era|ante|iker|loge|arzt|in)$", word) and len(word) > 6:
        return
    yield from _capital(clause, found)


def _wish(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if not re.match(r"(?:ich|wir|je|on|nous|yo|es|il|elle|la|el|die|der|das)\b", clause.low[found.start("v") :]):
        yield from phrase(r";", most=24)(clause, found)


def _to_end(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    start = clause.start + found.start("v")
    end = clause.origin + len(clause.whole.rstrip(" .!?;。\n"))
    if end - start > 8:
        yield Value(start, end)


def _habit(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if (
        re.search(
            r"\b(?:fehler|erreur|error|bekomme|bekommen|kriege|habe|hatte|war|vergesse|obtengo|recibo|oublie|suis|ai|avait|était|bin)\b",
            found.group("v"),
        )
        is None
    ):
        yield from phrase(r",? (?:also|donc|así que|aber|mais|pero|weil|kannst)\b", most=30, keep_article=True)(
            clause, found
        )


def _rule(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    text = found.group("v")
    if (
        re.search(
            r"\b(?:wir|ich|man|muss|je|on|nous|\w+amos|\w+emos|\w+imos|ejecuto|hago|reviso|siempre|toujours|immer)\b",
            text[8:],
        )
        and re.search(r"\b(?:fehler|erreur|error|kannst|peux|puedes|war|wurde)\b", text) is None
    ):
        yield from phrase(r",? (?:also|donc|así que)\b", most=32, keep_article=True)(clause, found)


def _thing(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if not re.match(
        r"(?:eine?[rnm]? |une? |una? )?(?:test|bug|fehler|funktion|fonction|función|frage|question|problem\w*|fix|script|datei|liste)\b",
        found.group("v"),
    ):
        yield from phrase(r",|\s(?:und|et|y|mit dem|avec laquelle|aber|mais|pero)\s|;", most=14)(clause, found)


_LASTS: Final = re.compile(
    r"dsgvo|rgpd|gdpr|lopd|hipaa|eu\b|ue\b|europa|europe|offline|hors ligne|barrierefrei\w*|accessib\w+|accesib\w+|verschlüssel\w+|chiffr\w+|cifrad\w+|sekunden|secondes|segundos|ms\b|jahre|ans\b|años|deutschland|france|españa|datenschutz|cloud|lizenz|licen\w+|kosten|budget|presupuesto|ie ?11|android|ios|mehrsprachig|bilingue|bilingüe|wcag"
)


def _constraint(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if _LASTS.search(found.group("v")):
        yield from phrase(_DE_STOP.replace(r",|", ""), most=24)(clause, found)


def _avoided(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if (
        not re.match(r"(?:que|saber|hacer|molestar|ver|ir|perder|tener que)\b", clause.low[found.start("v") :])
        or "que uses" in clause.low
    ):
        yield from phrase(_ES_STOP)(clause, found)


def _zh_not(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if re.search(r"这|那|这里|这个", found.group("v")) is None:
        yield from phrase(_ZH_STOP + "|的代码")(clause, found)


def _zh_rule(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if (
        re.search(r"我们|都|必须|一定|要先|先", clause.low)
        and re.search(r"帮我|请你|给我|想想", found.group("v")) is None
    ):
        yield from phrase(r"[。；！？]")(clause, found)


_DE: Final[tuple[Frame, ...]] = (
    frame("", rf"\b(?:ich heiße|ich heisse|mein name ist|ich bin (?:der|die)|nenn mich|nennt mich) {_NAME}", _capital, "named", "name", "identity.name", subject=ME),
    frame("", rf"^(?:hallo|hi|hey|moin|servus|guten tag)?,? ?ich bin {_NAME}", _bare_name, "named", "name", "identity.name", subject=ME),
    frame("", r"\b(?:ich bin|als|ich arbeite als|von beruf bin ich|mein beruf ist) (?:ein |eine |hier |aktuell |derzeit |selbstständige[rn]? |freiberufliche[rn]? |angehende[rn]? )*(?P<v>(?:[\w-]+ )?[\w-]*(?:entwickler|ingenieur|lehrer|arzt|ärztin|anwalt|anwältin|architekt|designer|manager|leiter|student|programmierer|analyst|berater|pfleger|krankenschwester|koch|köchin|bäcker|physiker|chemiker|biologe|biologin|informatiker|admin|administrator|forscher|wissenschaftler|buchhalter|steuerberater|journalist|redakteur|fotograf|musiker|tischler|schreiner|elektriker|mechaniker|landwirt|psychologe|therapeut|hebamme|apotheker|gründer|geschäftsführer|doktorand|azubi|rentner|freelancer|devops|techniker|meister|verkäufer|polizist|übersetzer|bibliothekar|trainer|kaufmann|kauffrau)(?:in)?)\b", phrase(), "is", "job", "identity.role", subject=ME),
    frame("", rf"\b(?:ich arbeite|ich bin|arbeite|angestellt|entwickler\w*|ingenieur\w*|berater\w*|ich)\b[^,;]{{0,40}}? bei (?:der |dem |einer |einem )?{_NAME}", _capital, "member_of", "employer", "identity.employer", subject=ME),
    frame("", rf"\b(?:ich wohne|ich lebe|wohne|lebe|ich komme aus|ich sitze|ich bin nach|ich arbeite)\b(?:[^,;]{{0,30}}? | )(?:in|aus|bei|nach) {_NAME}", _capital, "located_in", "location", "identity.location", subject=ME),
    frame("", r"\bich bin (?P<v>vegetarier(?:in)?|veganer(?:in)?|vegan|vegetarisch|diabetiker(?:in)?|farbenblind|allergisch gegen [^,;.]+|laktoseintolerant|linkshänder(?:in)?)\b", phrase(), "noted", "", "identity.health", subject=ME),
    frame("", r"\bmein(?:e)? (?P<v>(?:frau|mann|sohn|tochter|freundin|freund|kinder|hund|katze|bruder|schwester|mutter|vater) (?:heißt|ist|hat|arbeitet|sind) [^,;.]+)", phrase(_DE_STOP), "noted", "", "identity.family", subject=ME),
    frame("", r"\b(?:wir|ich|unser team|das projekt|das team|das backend|das frontend|die app|unsere app|alles) (?:\w+ ){0,2}?(?:nutzen|nutzt|nutze|verwenden|verwendet|verwende|setzen|setzt|setze|benutzen|benutze|arbeiten|arbeite|deployen|haben|hosten|entwickeln|entwickle|schreiben|programmiere|programmieren|läuft|laufen|basiert|testen|bauen|sind|fahren)\b(?: \w+){0,3}? ?(?P<v>)", _tools, "uses"),
    frame("", r"\b(?:die|der|das|unsere?|unser|mein|meine|als) (?:\w+ )?(?:datenbank|backend|frontend|stack|server|api|app|editor|ide|betriebssystem|ci|build|sprache|framework|shell|cloud|cluster|cache|queue|testframework|linter|formatter|paketmanager|projekt|laptop|rechner|seite|webseite|website|shop)(?: ist| sind| läuft auf| läuft unter| läuft mit| heißt| nutzt| basiert auf|:)? (?:eine?n? |der |die |das |in |mit |auf )*(?P<v>)", _tools, "uses"),
    frame("", r"\b(?:unsere?r?m?|meine?r?m?) (?P<v>[\w.#+-]+)[- ](?:app|projekt|backend|frontend|server|cluster|datenbank|anwendung|instanz|monolith|pipeline|shop|seite)", known_tools, "uses", weak=True, in_question=True),
    frame("", r"\bich (?:\w+ )?(?:bevorzuge|mag lieber|habe lieber|hätte gern immer|mag|liebe)(?: es,? wenn)? (?!keine?\b|nicht\b|das\b|dich\b|es\b)(?P<v>)", phrase(_DE_STOP), "prefers", subject=ME),
    frame("", r"\bich (?:\w+ )?(?:hasse|mag keine?n?|mag kein|will keine?n?|möchte keine?n?|nutze keine?n?|vermeide|verabscheue|esse keine?n?|trinke keine?n?|kann keine?n? .* leiden) (?!es\b|das\b|diese)(?P<v>)", phrase(_DE_STOP), "avoids", subject=ME),
    frame("", r"\b(?:ab jetzt|von jetzt an|ab sofort|künftig|in zukunft|zukünftig|generell|grundsätzlich|ab heute|immer wenn du)[,:]? (?:bitte )?(?P<v>)", _wish, "prefers", subject=ME),
    frame("", r"^(?:bitte |und |aber |also )*(?P<v>(?:antworte|schreib|schreibe|nutze|verwende|benutze|erkläre|erklär|formatiere|gib|zeig|zeige|nenn|halte|kommentiere|sprich|duze|sieze|mach|setze)\b[^;]*\b(?:immer|grundsätzlich|generell|stets|ab jetzt|ab sofort|künftig|in zukunft)\b[^;]*)", phrase(), "prefers", subject=ME),
    frame("", r"^(?:bitte |und |aber |also |ok,? )*(?:immer|stets) (?P<v>)", phrase(_DE_STOP), "prefers", subject=ME),
    frame("", r"^(?:bitte |und |aber |also )*(?:nie|niemals|nie wieder) (?P<v>)", phrase(_DE_STOP), "avoids", subject=ME),
    frame("", r"^(?:bitte |und |aber |also |mach |schreib |verwende |nutze |benutze )*keine?n? (?P<v>(?:\w+ )?(?:emojis?|kommentare?|semikolons?|tabellen|listen|aufzählungen|anglizismen|floskeln|einleitung\w*|zusammenfassung\w*|erklärung\w*|ausrufezeichen|smileys|abkürzungen|klassen|orms?|any)\b[^,;]*)", phrase(_DE_STOP), "avoids", subject=ME),
    frame("", r"\bhör(?:e|t)? (?:bitte )?auf,? (?:damit,? )?(?:mit )?(?P<v>)", phrase(), "avoids", subject=ME),
    frame("", r"\b(?P<v>(?:duze?|sieze?) mich)\b", phrase(), "prefers", "style.tone", "style.tone", subject=ME),
    frame("", rf"\b(?:ich bin|ich arbeite|als|wir sind)\b[^;.]{{0,60}}? (?:in|aus|bei) {_NAME}", _place_here, "located_in", "location", "identity.location", subject=ME),
    frame("", r"\b(?:im|in der|auf dem|beim) (?:backend|frontend|server|produktion|projekt|team|firma|büro|rechner)\b[^;.]{0,30}?\b(?:läuft|laufen|nutzen|verwenden|haben|ist)\b[^;.]{0,20}? (?P<v>)", _tools, "uses"),
    frame("", r"\b(?:kannst|könntest) du (?:dich |bitte |mir |vielleicht |auch |ab jetzt )*(?P<v>(?:etwas |ein bisschen |ein wenig )?(?:kürzer|knapper|ausführlicher|direkter|formeller|lockerer|einfacher)\b[^,;]*)", phrase(), "prefers", subject=ME, weak=True, in_question=True),
    frame("", r"\b(?:bei uns läuft (?:das|es)(?: immer)? so|unser (?:\w+)?(?:prozess|ablauf|workflow|vorgehen)(?: ist| sieht so aus| geht so)?|so machen wir das|unsere (?:regel|vorgehensweise) ist)[:, ]+(?P<v>)", _to_end, "practises", "", "workflow.process"),
    frame("", r"\b(?P<v>(?:ich|wir|man) \w+ (?:[^,;]{0,40} )?(?:immer|grundsätzlich|stets|jeden \w+|nie|niemals|jede woche|freitags|montags)\b[^;]{4,})", _habit, "practises", "", "workflow.habit"),
    frame("", r"^(?P<v>(?:bevor|ehe|nachdem|immer wenn|jedes mal,? wenn|vor jedem|nach jedem|wenn ein\w*) [^;]{6,}(?:,| )[^;]{4,})", _rule, "practises", "", "workflow.order"),
    frame("", r"^(?P<v>(?:erst|zuerst) [^;]{4,}?,? dann [^;]{4,})", _to_end, "practises", "", "workflow.order"),
    frame("", r"\b(?:wir bauen|wir entwickeln|ich baue|ich entwickle|wir arbeiten an|ich arbeite an|wir machen|ich programmiere|ich schreibe an) (?:gerade |derzeit |aktuell )*(?P<v>(?:eine?[rnm]? |unserem |unserer |meiner |meinem )[^;]{3,})", _thing, "building", "", "project.context"),
    frame("", rf"\b(?:abgabe|deadline|release|launch|start|frist|go-?live|termin|prüfung|demo|veröffentlichung|abgabetermin)\b[^,;]{{0,20}}? (?:ist|am|im|bis|auf) (?:am |im |bis |zum |ende |anfang )*(?P<v>{_WHEN})", phrase(r"[,;]"), "targets", "deadline", "project.timeline"),
    frame("", rf"\b(?:muss|müssen|soll|wir (?:launchen|releasen|gehen))\b[^,;]{{0,40}}? (?:bis|am|im|zum) (?:zum |ende |anfang )*(?P<v>{_WHEN})", phrase(r"[,;]|\s(?:fertig|live|online|laufen|stehen|abgeben)\b"), "targets", "deadline", "project.timeline"),
    frame("", r"\b(?:alles|die app|die daten|das system|das ganze|wir|unsere daten|es|die software|die seite) (?P<v>(?:muss|müssen|darf nicht|dürfen nicht|darf nur|dürfen nur|darf kein\w*|dürfen kein\w*)\b[^;]{3,})", _constraint, "requires", "constraint", "project.constraint"),
    frame("", r"\b(?:wir|ich) (?:migrieren|stellen|wechseln|portieren|ziehen|steigen|migriere|portiere)\b[^,;]{0,20}? (?P<v>(?:von|weg von) [^;,]{2,40} (?:auf|zu|nach) [^;,]{2,40})", phrase(r"\sum$|[,;]"), "migrating", "migration", "project.migration"),
    frame("", r"\b(?:haben uns|hab mich|habe mich|wir haben uns) (?:\w+ )?für (?P<v>[^,;]+?) entschieden", phrase(), "decided", "", "project.decision"),
    frame("", r"\b(?:haben uns|hab mich|habe mich|wir haben uns) (?:\w+ )?gegen (?P<v>[^,;]+?) entschieden", phrase(), "rejected", "", "project.decision"),
    frame("", r"\b(?:wir nehmen|entschieden:|entscheidung:|beschlossen:|es wird|wir bleiben bei|ich nehme) (?:jetzt |also |nun )*(?P<v>)", phrase(_DE_STOP, most=8), "decided", "", "project.decision"),
)  # fmt: skip

_FR: Final[tuple[Frame, ...]] = (
    frame("", rf"\b(?:je m'appelle|mon nom est|appelle-moi|moi c'est) {_NAME}", _capital, "named", "name", "identity.name", subject=ME),
    frame("", rf"^(?:bonjour|salut|coucou|hello)?,? ?je suis {_NAME}", _bare_name, "named", "name", "identity.name", subject=ME),
    frame("", r"\b(?:je suis|je travaille comme|en tant que|je bosse comme) (?:une? |actuellement |encore |le |la )*(?P<v>(?:d[eé]veloppeu\w+|ing[eé]nieure?|prof\w*|enseignante?|m[eé]decin|infirmi\w+|avocate?|architecte|designer|graphiste|chef\w*|cheffe|[eé]tudiante?|analyste|consultante?|comptable|journaliste|chercheu\w+|data scientist|freelance|photographe|musicien\w*|traduct\w+|boulang\w+|cuisini\w+|[eé]lectricien\w*|plombi\w+|agricult\w+|psychologue|pharmacien\w*|fondat\w+|doctorante?|directeur|directrice|gérante?|responsable|vétérinaire|libraire|bibliothécaire|retraitée?|admin\w*|devops)\b[^,;]*)", phrase(r",|\s(?:et|à|chez|dans|pour|au|en|qui|mais)\b"), "is", "job", "identity.role", subject=ME),
    frame("", rf"\b(?:je (?:travaille|bosse|suis)|qui travaille)\b[^,;]{{0,40}}? chez {_NAME}", _capital, "member_of", "employer", "identity.employer", subject=ME),
    frame("", rf"\b(?:j'habite|je vis|je suis basée?|je réside|on est|je travaille|je suis)\b[^,;]{{0,30}}? (?:à|au|aux) {_NAME}", _capital, "located_in", "location", "identity.location", subject=ME),
    frame("", r"\bje suis (?!(?:en|un|une|d'accord|sûre?|pas|plus|déjà|content\w*|désolée?|perdue?|bloquée?|à|au|sur|dans|très|assez|trop|le|la)\b)(?P<v>[a-zà-ÿ-]{5,}(?: [a-zà-ÿ-]+)?) (?:à|au|aux|dans|chez|en) ", phrase(), "is", "job", "identity.role", subject=ME),
    frame("", r"\bje ne (?:mange|bois|tolère) (?:pas|plus|jamais) (?:de |d')?(?P<v>)", phrase(_FR_STOP), "is", "diet", "identity.diet", subject=ME),
    frame("", r"\bje suis (?P<v>v[eé]g[eé]tarien\w*|v[eé]gane?|diab[eé]tique|daltonien\w*|allergique [^,;.]+|intol[eé]rante? [^,;.]+|gauch[eè]re?)", phrase(_FR_STOP), "noted", "", "identity.health", subject=ME),
    frame("", r"\b(?:ma femme|mon mari|mon fils|ma fille|mon chien|mon chat|ma copine|mon copain|mes enfants) (?P<v>(?:s'appelle|est|a|ont|sont|travaille) [^,;.]+)", phrase(_FR_STOP), "noted", "", "identity.family", subject=ME),
    frame("", r"\b(?:on|nous|j'|je |notre équipe|le projet|le backend|le frontend|notre app|l'équipe|l'app) ?(?:\w+ ){0,2}?(?:utilise|utilisons|utilisent|tourne|tournons|bosse|travaille|travaillons|déploie|déployons|est|sommes|code|codons|développe|développons|héberge|hébergeons|passe|a|avons)\b(?: \w+){0,3}? ?(?P<v>)", _tools, "uses"),
    frame("", r"\b(?:notre|la|le|mon|ma|nos) (?:\w+ )?(?:stack|base(?: de données)?|bdd|backend|frontend|serveur|api|app|appli|application|éditeur|ide|ci|site|cluster|cache|langage|framework|projet|machine|système)(?: est| tourne sur| tourne sous| utilise| c'est|:)? (?:en |sur |sous |du |une? |de |avec )*(?P<v>)", _tools, "uses"),
    frame("", r"\b(?:notre|nos|mon|ma) (?:app|appli|application|projet|backend|serveur|cluster|site|base) (?P<v>)", known_tools, "uses", weak=True, in_question=True),
    frame("", r"\b(?:je préfère|j'aime(?: bien| mieux| beaucoup)?|je veux toujours|je privilégie|j'adore)(?: que tu| quand tu| les| le| la| des| du| utiliser| avoir)* (?!ça\b|pas\b|cette?\b|ton\b|ta\b)(?P<v>)", phrase(_FR_STOP), "prefers", subject=ME),
    frame("", r"\b(?:je déteste|je n'aime pas|j'aime pas|je ne veux pas de|je veux pas de|j'évite|je n'utilise (?:pas|jamais)|je n'utilise plus)(?: les| le| la| des| du| de| d'| que tu| quand tu)* ?(?!ça\b|ce \w+\b|cette\b)(?P<v>)", phrase(_FR_STOP), "avoids", subject=ME),
    frame("", r"\b(?:à partir de maintenant|désormais|dorénavant|à l'avenir|en général|de manière générale|à chaque fois)[,:]? (?P<v>)", _wish, "prefers", subject=ME),
    frame("", r"^(?:et |mais |donc |s'il te plaît,? |stp,? )*(?P<v>(?:réponds|écris|utilise|explique|donne|montre|mets|garde|commente|parle|formate|fais|tutoie|vouvoie|cite)\b[^;]*\b(?:toujours|systématiquement|désormais|à chaque fois)\b[^;]*)", phrase(), "prefers", subject=ME),
    frame("", r"^(?:et |mais |donc |s'il te plaît,? |stp,? )*(?:n'|ne )?(?:utilise|mets|fais|écris|ajoute|commence|termine|réponds)\w* jamais (?:de |d'|en |par |les )?(?P<v>)", phrase(_FR_STOP), "avoids", subject=ME),
    frame("", r"\b(?:arrête|arrêtez|cesse) (?:de |d')(?P<v>)", phrase(_FR_STOP), "avoids", subject=ME),
    frame("", r"^(?:et |mais |donc )*(?:pas d'|pas de |plus de |plus d'|sans )(?P<v>(?:emojis?|commentaires?|point-virgule|tableaux|listes?|jargon|anglicismes|introduction|résumé|excuses|phrases d'intro)\b[^,;]*)", phrase(_FR_STOP), "avoids", subject=ME),
    frame("", r"\b(?:peux-tu|tu peux|pourrais-tu|tu pourrais) être (?P<v>(?:un peu )?(?:plus|moins) \w+)", phrase(), "prefers", subject=ME, weak=True, in_question=True),
    frame("", r"\b(?:chez nous,? ça se passe comme ça|notre (?:process|processus|workflow|procédure|façon de faire)(?: est| c'est)?|voilà comment on fait)[:, ]+(?P<v>)", _to_end, "practises", "", "workflow.process"),
    frame("", r"\b(?P<v>(?:je|on|nous) (?:ne |n')?\w+ (?:[^,;]{0,30} )?(?:toujours|systématiquement|jamais|tous les \w+|chaque \w+|le vendredi|le lundi)\b[^;]{3,})", _habit, "practises", "", "workflow.habit"),
    frame("", r"^(?P<v>(?:avant de|avant chaque|après chaque|chaque fois qu|quand un\w*|dès qu|avant toute?) ?[^;]{4,}, ?(?:je|on|nous) [^;]{4,})", _rule, "practises", "", "workflow.order"),
    frame("", r"^(?P<v>(?:d'abord) [^;]{4,}?,? (?:puis|ensuite) [^;]{4,})", _to_end, "practises", "", "workflow.order"),
    frame("", r"\b(?:on (?:construit|développe|fait|crée)|je (?:construis|développe|crée|fais)|nous (?:construisons|développons|créons)|on (?:bosse|travaille) sur|je (?:bosse|travaille) sur|nous travaillons sur) (?P<v>(?:une? |notre |mon |ma |nos )[^;]{3,})", _thing, "building", "", "project.context"),
    frame("", rf"\b(?:deadline|date limite|échéance|lancement|livraison|sortie|mise en prod|mise en production|rendu|démo|soutenance|on (?:lance|livre|sort))\b[^,;]{{0,25}}? (?:le |en |pour |au |fin |début |est |avant |prévue? )*(?P<v>{_WHEN})", phrase(r"[,;]"), "targets", "deadline", "project.timeline"),
    frame("", r"\b(?:tout|l'app|l'appli|les données|le système|le site|ça|on|nos données|le tout) (?P<v>(?:doit|doivent|devons|ne doit pas|ne doivent pas|ne peut pas|ne peuvent pas)\b[^;]{3,})", _constraint, "requires", "constraint", "project.constraint"),
    frame("", r"\b(?:on|nous|je) (?:migre|migrons|passe|passons|bascule|basculons|est en train de migrer|sommes en train de migrer)\b[^,;]{0,20}? (?P<v>(?:de |d'|du )[^;,]{2,40} (?:à|vers) [^;,]{2,40})", phrase(r"[,;]|\scet"), "migrating", "migration", "project.migration"),
    frame("", r"\b(?:on a (?:décidé|choisi|opté|tranché)|nous avons (?:décidé|choisi|opté)|j'ai (?:décidé|choisi|opté)|c'est décidé|décision|on part sur|on reste sur)(?: hier)?(?: pour| de prendre| d'utiliser| de garder| sur| d'aller sur| de partir sur)?(?: ?:)? ?(?:ce sera |on prend |on utilise |on part sur |on garde )?(?P<v>)", phrase(_FR_STOP, most=8), "decided", "", "project.decision"),
)  # fmt: skip

_ES: Final[tuple[Frame, ...]] = (
    frame("", rf"\b(?:me llamo|mi nombre es|ll[aá]mame) {_NAME}", _capital, "named", "name", "identity.name", subject=ME),
    frame("", rf"(?:^|[,:] ?)(?:yo )?soy {_NAME}", _bare_name, "named", "name", "identity.name", subject=ME),
    frame("", r"(?<!no )\b(?:soy|trabajo (?:como|de)|como) (?:una? |el |la |actualmente )*(?P<v>(?:desarrollador\w*|bibliotecari[oa]|carpinter[oa]|cociner[oa]|fontaner[oa]|electricista|traductora?|psicólog[oa]|veterinari[oa]|farmacéutic[oa]|músic[oa]|programador\w*|ingenier[oa]|profesora?|maestr[oa]|médic[oa]|enfermer[oa]|abogad[oa]|arquitect[oa]|diseñador\w*|estudiante|analista|consultora?|contable|periodista|investigador\w*|científic[oa]|freelance|autónom[oa]|fotógraf[oa]|músic[oa]|traductor\w*|cociner[oa]|panader[oa]|electricista|fontaner[oa]|agricultor\w*|psicólog[oa]|farmacéutic[oa]|fundador\w*|director\w*|gerente|jef[ea]|veterinari[oa]|bibliotecari[oa]|jubilad[oa]|administrador\w*|doctorand[oa]|devops)\b[^,;]*)", phrase(r",|\s(?:y|en|para|que|pero|con)\b"), "is", "job", "identity.role", subject=ME),
    frame("", rf"\b(?:trabajo (?:en|para)|estoy trabajando en) (?:la empresa |una empresa llamada )?{_NAME}", _capital, "member_of", "employer", "identity.employer", subject=ME),
    frame("", rf"\b(?:vivo en|resido en|estoy en|soy de|trabajo (?:como|de) [^,;]{{3,30}} en|me mudé a) {_NAME}", _capital, "located_in", "location", "identity.location", subject=ME),
    frame("", rf"\b(?:soy|trabajo de|trabajo como)\b[^;.]{{0,50}}? (?:en|de) {_NAME}", _place_here, "located_in", "location", "identity.location", subject=ME),
    frame("", r"\b(?:soy|tengo) (?P<v>vegetarian[oa]|vegan[oa]|diabétic[oa]|daltónic[oa]|alérgic[oa] [^,;.]+|alergia a [^,;.]+|celíac[oa]|intolerante a [^,;.]+|zurd[oa])", phrase(_ES_STOP), "noted", "", "identity.health", subject=ME),
    frame("", r"\b(?:mi (?:mujer|esposa|marido|esposo|hijo|hija|perro|perra|gato|gata|novia|novio)|mis hijos) (?P<v>(?:se llama|es|tiene|trabaja|son|tienen) [^,;.]+)", phrase(_ES_STOP), "noted", "", "identity.family", subject=ME),
    frame("", r"\b(?:usamos|uso|utilizamos|utilizo|trabajamos con|trabajo con|desplegamos en|tenemos|programamos en|programo en|corremos en|estamos en|alojamos en|nuestro equipo usa|el proyecto usa|el equipo usa|escribimos en|desarrollamos en|todo corre en)\b(?: \w+){0,3}? ?(?P<v>)", _tools, "uses"),
    frame("", r"\b(?:nuestr[oa]|el|la|mi) (?:\w+ )?(?:stack|base de datos|backend|frontend|servidor|api|app|aplicación|editor|ide|ci|sitio|web|clúster|cluster|caché|lenguaje|framework|proyecto|máquina|sistema)(?: es| corre en| usa| está en| está hecho en| está hecha en| está escrito en|:)? (?:en |sobre |con |una? |de )*(?P<v>)", _tools, "uses"),
    frame("", r"\b(?:nuestr[oa]|mi) (?:app|aplicación|proyecto|backend|servidor|clúster|cluster|sitio|web|base) (?:de |en )?(?P<v>)", known_tools, "uses", weak=True, in_question=True),
    frame("", r"\b(?:prefiero|me gusta(?:n)?(?: más| mucho)?|me encanta(?:n)?|siempre quiero)(?: que(?: me)?| usar| los| las| el| la| cuando)* (?!eso\b|esto\b|cómo\b|tu\b|esa?\b)(?P<v>)", phrase(_ES_STOP), "prefers", subject=ME),
    frame("", r"\b(?:odio|detesto|no me gusta(?:n)?|no quiero|evito|no uso|nunca uso|no como|no bebo|no soporto)(?: que| usar| los| las| el| la| nada de)* (?!eso\b|esto\b|este \w+\b)(?P<v>)", _avoided, "avoids", subject=ME),
    frame("", r"\b(?:a partir de ahora|de ahora en adelante|en adelante|en el futuro|en general|por regla general|desde ahora)[,:]? (?P<v>)", _wish, "prefers", subject=ME),
    frame("", r"^(?:por favor,? |y |pero )*(?:siempre) (?P<v>)", phrase(_ES_STOP), "prefers", subject=ME),
    frame("", r"^(?:por favor,? |y |pero )*(?P<v>(?:responde|respóndeme|escribe|usa|explica|explícame|dame|muestra|pon|mantén|habla|háblame|formatea)\b[^;]*\bsiempre\b[^;]*)", phrase(), "prefers", subject=ME),
    frame("", r"^(?:por favor,? |y |pero )*(?:nunca|jamás) (?P<v>)", phrase(_ES_STOP), "avoids", subject=ME),
    frame("", r"\b(?:deja|dejad|para) de (?P<v>)", phrase(_ES_STOP), "avoids", subject=ME),
    frame("", r"^(?:por favor,? |y |pero )*(?:sin|nada de|no uses|no (?:me )?pongas) (?P<v>(?:emojis?|títulos|viñetas|emoticonos|comentarios?|punto y coma|tablas|listas|jerga|anglicismos|introduccion\w*|resúmenes|disculpas)\b[^,;]*)", phrase(_ES_STOP), "avoids", subject=ME),
    frame("", r"\b(?:puedes|podrías) ser (?P<v>(?:un poco )?(?:más|menos) \w+)", phrase(), "prefers", subject=ME, weak=True, in_question=True),
    frame("", r"\b(?:nuestro (?:proceso|flujo|procedimiento)(?: de \w+)?(?: es)?|así trabajamos|aquí lo hacemos así)[:, ]+(?P<v>)", _to_end, "practises", "", "workflow.process"),
    frame("", r"\b(?P<v>(?:siempre|nunca|normalmente|todos los \w+|cada \w+|los viernes|los lunes),? (?:no )?(?:\w+amos|\w+emos|\w+imos|hago|ejecuto|escribo|reviso|corro|pruebo|hacemos)\b[^;]{3,})", _habit, "practises", "", "workflow.habit"),
    frame("", r"^(?P<v>(?:antes de|después de|cada vez que|cuando un\w*) [^;]{4,}(?:,| )[^;]{4,})", _rule, "practises", "", "workflow.order"),
    frame("", r"^(?P<v>(?:primero) [^;]{4,}?,? (?:luego|después|y luego) [^;]{4,})", _to_end, "practises", "", "workflow.order"),
    frame("", r"\b(?:estamos (?:construyendo|desarrollando|haciendo|creando)|estoy (?:construyendo|desarrollando|haciendo|creando|montando)|desarrollamos|construimos|trabajamos en|trabajo en) (?P<v>(?:una? |nuestr[oa] |mi )[^;]{3,})", _thing, "building", "", "project.context"),
    frame("", rf"\b(?:fecha límite|entrega|lanzamiento|lanzamos|entregamos|deadline|la demo|el examen|plazo|salimos)\b[^,;]{{0,25}}? (?:el |en |para |es |a |antes del? )*(?P<v>{_WHEN})", phrase(r"[,;]"), "targets", "deadline", "project.timeline"),
    frame("", r"\b(?:todo|la app|los datos|el sistema|la web|el sitio|nuestros datos|la aplicación) (?P<v>(?:debe|deben|tiene que|tienen que|no puede|no pueden)\b[^;]{3,})", _constraint, "requires", "constraint", "project.constraint"),
    frame("", r"\b(?:estamos migrando|migramos|estamos pasando|vamos a migrar|nos estamos moviendo|estoy migrando)\b[^,;]{0,20}? (?P<v>de [^;,]{2,40} a [^;,]{2,40})", phrase(r"[,;]|\seste"), "migrating", "migration", "project.migration"),
    frame("", r"\b(?:hemos decidido|decidimos|he decidido|decidí|elegimos|hemos elegido|elegí|optamos por|nos quedamos con|decidido:|decisión:)(?: usar| ir con| por| quedarnos con)? ?(?P<v>)", phrase(_ES_STOP, most=8), "decided", "", "project.decision"),
)  # fmt: skip

_ZH: Final[tuple[Frame, ...]] = (
    frame("", r"(?:我叫|我的名字是|我名叫|叫我)(?P<v>[^，。；！？,;!?是\s]{1,8})", phrase(_ZH_STOP), "named", "name", "identity.name", subject=ME),
    frame("", r"我(?:是|现在是|目前是)(?:一名|一个|一位|个|名)?(?P<v>[^，。；！？,;!?]{0,8}(?:工程师|程序员|开发者|开发|设计师|老师|教师|医生|护士|律师|学生|研究生|博士生|经理|架构师|分析师|研究员|会计|产品经理|创始人|自由职业者|运维|测试|教授|厨师|作家|记者|摄影师))", phrase(_ZH_STOP), "is", "job", "identity.role", subject=ME),
    frame("", r"我在(?P<v>[^，。；！？,;!?]{2,12}?)(?:工作|上班|任职|做)", phrase(_ZH_STOP), "member_of", "employer", "identity.employer", subject=ME),
    frame("", r"(?:^|[，,]|我)(?:现在)?在(?P<v>(?:北京|上海|广州|深圳|杭州|成都|南京|武汉|西安|重庆|苏州|天津|长沙|厦门|青岛|香港|台北|新加坡|东京))(?:工作|上班|生活)?", phrase(_ZH_STOP), "located_in", "location", "identity.location", subject=ME),
    frame("", r"我(?:住在|住|现居|来自|搬到了?|人在)(?P<v>[^，。；！？,;!?的]{2,8})", phrase(_ZH_STOP), "located_in", "location", "identity.location", subject=ME),
    frame("", r"我(?:对)?(?P<v>(?:[^，。；！？,;!?我]{1,6}过敏|吃素|是素食者|有糖尿病|色盲|乳糖不耐受))", phrase(_ZH_STOP), "noted", "", "identity.health", subject=ME),
    frame("", r"我(?:的)?(?P<v>(?:儿子|女儿|老婆|妻子|老公|丈夫|妈妈|爸爸|孩子|狗|猫)[^，。；！？,;!?]{2,20})", phrase(_ZH_STOP), "noted", "", "identity.family", subject=ME),
    frame("", r"(?:我们|我|咱们|团队|项目|我们项目|我们团队|我们公司|后端|前端|数据库)(?:的)?(?:项目|团队|后端|前端|数据库|服务|公司)?(?:都|一直|现在|目前|主要|里)?(?:用的是|用的|使用的是|使用|用|采用|跑在|部署在|基于|运行在|是用|是)\s*(?P<v>)", _tools, "uses"),
    frame("", r"我(?:比较|更|很|最|一般|平时|一直)?(?:喜欢|偏好|倾向于|爱|习惯)(?:用|看|吃|喝|你)?(?!这个|那个)(?P<v>[^，。；！？,;!?]{1,30})", phrase(_ZH_STOP), "prefers", subject=ME),
    frame("", r"我(?:很|非常|最)?(?:不喜欢|讨厌|不想要|不爱|不吃|不喝|不用|受不了)(?!这个|那个)(?P<v>[^，。；！？,;!?]{1,30})", phrase(_ZH_STOP), "avoids", subject=ME),
    frame("", r"(?:以后|今后|从现在开始|从今以后|从现在起|往后|每次)(?:都|请|，|,|回答时|写代码时|推荐\S{0,6}的时候)*(?:请)?(?:都)?(?:别|不要|不许|禁止|别再|不要再)(?:用|给我|写|加|放)?(?P<v>[^，。；！？,;!?]{1,30})", phrase(_ZH_STOP), "avoids", subject=ME),
    frame("", r"(?:以后|今后|从现在开始|从今以后|从现在起|往后|每次)(?:都|请|，|,)*(?P<v>(?:用|使用|回答|写|给|先|直接|保持|尽量|请)[^，。；！？,;!?]{1,40})", phrase(_ZH_STOP), "prefers", subject=ME),
    frame("", r"(?:^|[，,。])(?:请|麻烦|都)?(?:总是|始终|一律|永远|请一直)(?P<v>(?!.{0,4}(?:出错|失败))[^，。；！？,;!?]{2,40})", phrase(_ZH_STOP), "prefers", subject=ME),
    frame("", r"(?:不要|别|不许)(?:再)?(?:给我|用|写|加)(?P<v>[^，。；！？,;!?]{1,30})", _zh_not, "avoids", subject=ME),
    frame("", r"(?P<v>(?:我们?|大家)(?:每次|总是|一般|通常|都会|每天|每周|从来不|从不)[^。；！？]{4,60})", phrase(r"[。；！？]|请|帮我"), "practises", "", "workflow.habit"),
    frame("", r"(?:我们的)?(?:流程|发布流程|工作流|流程是|规矩)(?:是|：|:)+(?P<v>[^。；！？]{4,120})", phrase(r"[。；！？]"), "practises", "", "workflow.process"),
    frame("", r"(?P<v>(?:提交|上线|发布|合并|部署|推送)(?:之)?前[^。；！？]{4,60})", _zh_rule, "practises", "", "workflow.order"),
    frame("", r"(?P<v>先[^。；！？，,]{2,30}[，,]?(?:再|然后)[^。；！？]{2,60})", _zh_rule, "practises", "", "workflow.order"),
    frame("", r"(?:我们|我)(?:正在|在|现在在|最近在)(?:做|开发|写|搭建|构建|设计)(?:一个|一款|一套|个)(?P<v>[^，。；！？,;!?]{2,40})", phrase(_ZH_STOP), "building", "", "project.context"),
    frame("", r"(?P<v>(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:\d{1,2}[号日]|底|初|中旬)?|年底|下个?月|下周|本月底|月底)(?:之前|前)?(?:必须|要|得|就要|上线|发布|交付|截止)", phrase(_ZH_STOP), "targets", "deadline", "project.timeline"),
    frame("", r"(?:截止日期|上线时间|交付日期|发布日期|死线|ddl)(?:是|在|：|:)(?P<v>[^，。；！？,;!?]{2,12})", phrase(_ZH_STOP), "targets", "deadline", "project.timeline"),
    frame("", r"(?:数据|系统|所有\S{1,4}|整个项目|应用|项目)(?P<v>(?:必须|不能|不得|只能|需要符合)[^，。；！？,;!?]{2,30})", phrase(_ZH_STOP), "requires", "constraint", "project.constraint"),
    frame("", r"(?P<v>从[^，。；！？,;!?]{1,20}(?:迁移到|迁到|切换到|换到|转到)[^，。；！？,;!?]{1,20})", phrase(_ZH_STOP), "migrating", "migration", "project.migration"),
    frame("", r"(?:决定|定了|选定|最终选择|选择了|敲定)(?:了)?(?:用|使用|采用|，)?(?P<v>[^，。；！？,;!?了]{1,30})", phrase(_ZH_STOP), "decided", "", "project.decision"),
)  # fmt: skip
_FRAMES: Final = {"de": _DE, "fr": _FR, "es": _ES, "zh": _ZH}
