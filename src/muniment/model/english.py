"""English word lists that more than one reader goes by, each with what it is for."""

from __future__ import annotations

from typing import Final

ASKING: Final = frozenset("what when where which who whom whose why how".split())
"""Words that ask."""

AUXILIARY: Final = frozenset(
    """am is are was were be been being do does did doing done have has had having can could will would shall should
    may might must ought""".split()
)
"""Verbs that only carry another verb; a question that begins with one can be answered by yes or no."""

NEGATION: Final = frozenset("no not never none nothing nobody nowhere neither nor without cannot".split())
"""Words that turn a statement round. They are never dropped unnoticed."""

STOP: Final = (
    ASKING
    | AUXILIARY
    | frozenset(
        """a an the this that these those there here it its itself i me my mine myself we us our ours ourselves you your
        yours yourself he him his himself she her hers herself they them their theirs themselves one ones
        about above across after against along among around as at before behind below beside between beyond by down
        during for from in inside into near of off on onto out outside over past per through throughout to toward towards
        under until till up upon via with within
        and or but if then else so than because while whereas although though since unless whether both either each
        any some all every such same other another much many more most few less least own only just even also too very
        quite rather really ever again still yet already almost perhaps maybe
        please tell show give let get got gets make makes made know known say says said""".split()
    )
)
"""Words that carry no topic of their own."""

FUNCTION: Final = (
    ASKING
    | (AUXILIARY - {"may", "might", "shall", "must", "ought", "done"})
    | frozenset(
        """a an the and or but nor if than because while until as so too very such just only own same once again further
        then there here this that these those it its itself i me my mine myself we us our ours ourselves you your yours
        yourself yourselves he him his himself she her hers herself they them their theirs themselves some any few all
        both each other more most no not
        about above after against at before below between by down during for from in into of off on out over through to
        under up with s t d ll m re ve don doesn didn isn wasn aren weren won couldn shouldn wouldn""".split()
    )
)
"""Words of grammar alone, and what is left of them where an apostrophe parts them: search does not look for them."""

LIGHT: Final = frozenset(
    """absolutely actually ago always amazing awesome better best bit certainly come comes coming came definitely even ever
    fantastic feel feels feeling felt get gets getting glad go goes going gone went good great guess guessing haha hello hey
    hi hope hopes hoping hoped let lets like likes liked look looks looked looking lot make makes making many much need needs
    needed never nice oh ok okay perhaps please pretty quite really remember remembered right say says saying said see seems
    something anything everything thing things sometimes sorry sound sounds sounded still super sure take takes taking took
    tell tells telling thank thanks think thinks thinking thought today totally try tries tried trying want wanted wants
    wanting way well wonderful wow yeah yep yes yet know knew knows maybe one made also
    answer answers ask asked asking asks chat chats conversation conversations describe discuss discussed discussing
    discussion discussions explain give help list mention mentioned mentioning mentions order overview provide question
    questions happen happened happening happens now current currently latest nowadays recent recently
    show summarise summarize summaries summary talk talked talking talks walk""".split()
)
"""Words that keep talk going, and words about talk itself: they are everywhere, and tell little."""

OPENERS: Final = (
    STOP
    | NEGATION
    | frozenset(
        """according actually add after ah always analyze and answer anyway apparently ask assuming based basically best
        bring build but call check clearly come compare consider create currently dear define delete describe design
        despite determine discuss draft ensure estimate every everyone everything explain extract fetch find first fix
        follow following for generate go good got great guess happy hello help hey hi hmm however identify imagine implement
        include instead keep last later latest learn lately lets like list load long look lots love make maybe meanwhile
        my name new next nice nobody none note now oh ok okay once open our overall people plan plans put question quick
        read recently recall remember remind rename remove reply review rewrite right run save search see seems select
        send set similarly since so some someone something sometimes soon sorry sounds start still stop suggest summarise
        summarize sum suppose sure take talk thank thanks think today together tomorrow tonight translate try turn two
        three update use used using usually verify view wait want well when which whoever wish work wow write yeah yep yes
        yesterday yet""".split()
    )
)
"""Words that often begin a sentence and so are capitalised there without being names."""
