"""Words of one meaning: which forms of an irregular English word belong together, and which short name with which long one.

Regular endings are the index's business (its stemmer joins `walk` and `walked`); here are the ones that no ending shows.
Forms that are more often another word (`felt` the cloth, `saw` the tool) stay where the verb is the commoner reading.
"""

from __future__ import annotations

from functools import cache
from typing import Final

_VERBS: Final = """
    be am is are was were been being
    arise arose arisen; awake awoke awoken; bear bore borne; beat beaten; become became; begin began begun; bend bent
    bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought
    build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came; creep crept
    deal dealt; dig dug; do did done does; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven
    eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fly flew flown
    forbid forbade forbidden; foresee foresaw foreseen; forget forgot forgotten; forgive forgave forgiven
    freeze froze frozen; get got gotten; give gave given; go went gone goes; grind ground; grow grew grown
    hang hung; have had has; hear heard; hide hid hidden; hold held; keep kept; kneel knelt; know knew known
    lay laid; lead led; leap leapt; learn learnt; leave left; lend lent; lie lain lying; light lit; lose lost
    make made; mean meant; meet met; mislead misled; mistake mistook mistaken; overcome overcame
    oversee oversaw overseen; override overrode overridden; overwrite overwrote overwritten; pay paid; prove proven
    rebuild rebuilt; redo redid redone; resend resent; rethink rethought; rewrite rewrote rewritten; ride rode ridden
    ring rang rung; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent
    shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk
    sit sat; sleep slept; slide slid; speak spoke spoken; speed sped; spell spelt; spend spent; spill spilt
    spin spun; spring sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung; strike struck stricken
    strive strove striven; swear swore sworn; sweep swept; swell swollen; swim swam swum; swing swung
    take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown; tread trod trodden
    undergo underwent undergone; understand understood; undertake undertook undertaken; undo undid undone
    uphold upheld; wake woke woken; wear wore worn; weave wove woven; weep wept; win won; wind wound
    withdraw withdrew withdrawn; withhold withheld; write wrote written
"""
_NOUNS: Final = """
    man men; woman women; child children; person people; foot feet; tooth teeth; goose geese; mouse mice; louse lice
    ox oxen; wife wives; life lives; knife knives; leaf leaves; half halves; shelf shelves; self selves; thief thieves
    loaf loaves; wolf wolves; calf calves; scarf scarves; hoof hooves; elf elves; penny pence
    analysis analyses; axis axes; basis bases; crisis crises; diagnosis diagnoses; hypothesis hypotheses
    parenthesis parentheses; synthesis syntheses; thesis theses; oasis oases; criterion criteria
    phenomenon phenomena; datum data; medium media; bacterium bacteria; curriculum curricula
    schema schemas schemata
    index indices indexes; vertex vertices; matrix matrices; appendix appendices; vortex vortices
    radius radii; stimulus stimuli; alumnus alumni; cactus cacti; fungus fungi; nucleus nuclei; syllabus syllabi
    corpus corpora; genus genera; formula formulae; larva larvae; alga algae; vertebra vertebrae
    salesman salesmen; fireman firemen; policeman policemen; grandchild grandchildren; quiz quizzes
"""
_DEGREES: Final = """
    good better best; bad worse worst; far further furthest farther farthest; little less least; many more most
    old elder eldest
"""
_SHORTER: Final = """
    mom mum mother; dad father; grandma grandmother; grandpa grandfather; photo photograph; tv television; bike bicycle
    phone telephone; fridge refrigerator; exam examination; lab laboratory; gym gymnasium; flu influenza
    repo repository; config configuration; db database; docs documentation; app application; env environment
    auth authentication; k8s kubernetes; postgres postgresql; js javascript; admin administrator; prod production
"""
"""Names with a shorter one that means just the same."""


def forms(word: str) -> tuple[str, ...]:
    """The word in lower case and the irregular forms that belong with it, in a fixed order; alone when it has none."""
    low = word.lower()
    return (low, *(form for form in _table().get(low, ()) if form != low))


@cache
def _table() -> dict[str, tuple[str, ...]]:
    """Each form with all forms of the groups it is in."""
    table: dict[str, dict[str, None]] = {}
    for group in _groups():
        for form in group:
            table.setdefault(form, {}).update(dict.fromkeys(group))
    return {form: tuple(group) for form, group in table.items()}


def _groups() -> list[list[str]]:
    lines = f"{_VERBS}\n{_NOUNS}\n{_DEGREES}\n{_SHORTER}".replace(";", "\n").splitlines()
    return [line.split() for line in lines if line.strip()]
