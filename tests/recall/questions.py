"""Questions by the shape that they have, as people ask a memory: about code, about work, about life."""

from __future__ import annotations

from typing import Final

QUESTIONS: Final = {
    "who": """
        who wrote the parser
        Who decided to drop Redis?
        who is on call this week
        Who did Ana meet in Oslo?
        whose idea was the event store
        Who broke the build?
        who reviewed ABC-123
        with whom did we discuss the pricing
        who's the owner of the billing service
        Tell me who asked for the export.
        And who approved it?
        Do you remember who suggested the cache?
        which colleague knows the deploy script
        who told me about the flaky test
        to whom does the invoice go
        What person designed the logo?
        Can you tell me who pays the hosting?
    """,
    "when": """
        when did we switch to pnpm
        When was the release cut?
        Since when do we use strict mode?
        when is the deadline for the paper
        What day did Ana leave for Oslo?
        On which date did the outage happen?
        How long ago did we drop Python 3.9?
        what time is the stand-up
        In which month did we move to Berlin?
        Can you tell me when the index was rebuilt?
        so when did the tests turn red
        Which year did Ben finish school?
        when's the next review
        Do you know when I last ran the migration?
        Remind me when the contract ends.
        at what time does the backup run
        when was src/billing/reader.ts touched last
    """,
    "where": """
        where do we keep the retry policy
        Where is the config loaded?
        where's the log file
        In which file is the lexer?
        which module holds the rate limiter
        Where did Ana spend her holidays?
        from where is getUserName called
        In what folder do the fixtures live?
        Which city did Ben move to?
        where should new migrations go
        Please tell me where the keys are stored.
        where have we documented the hook order
        what table holds the receipts
        which repo is the deploy script in
        Where does the error come from?
        to which country did they move
        Could you tell me where the snapshot is kept?
    """,
    "how_many": """
        how many tests fail
        How many children does Ana have?
        how much does the hosting cost
        how often does the backup run
        How many times did we rebuild the index?
        how long does the suite take
        How old is Ben's dog?
        how much memory does the worker use
        What is the number of open tickets?
        what was the total amount of the invoice
        How big is the database?
        In how many files is Foo::bar used?
        and how many of them are flaky
        Tell me how many retries we do.
        how far is the office from home
        how many lanes are there
        count the open tickets
    """,
    "current_value": """
        which port does the api use now
        what is the retry limit
        What's the current version of the schema?
        which database do we use
        What is Ana's job now?
        which branch is currently deployed
        What is the timeout set to?
        what framework does the front end use
        which package manager do we use
        What's the status of ABC-123?
        what is the default log level
        Which model is in use at the moment?
        what is my budget for the trip
        what address does the server have
        Which language is the worker in?
        what is the latest figure for the error rate
        What does the limit stand at today, what is the value?
    """,
    "history": """
        how has the schema changed over time
        what did we use before yarn
        Which editor did I use previously?
        Give me the history of the retry policy.
        what was the limit originally
        Show the timeline of the migration.
        In what order did the services move?
        How did Ana's plans evolve?
        where did we used to keep the keys
        What did the port use to be, and what changed?
        how did the deadline change
        describe how the design has evolved
        what used to be in src/old
        Walk through the sequence of decisions about caching.
        how did my opinion on ORMs change
        which databases did we have before we moved to SQLite
        what's the progression of the error rate
    """,
    "preference": """
        what's my favourite editor
        do I prefer tabs or spaces
        which editor does Ana like best
        What kind of music does Ben enjoy?
        What are my preferences for commit messages?
        does Ana like jazz
        which food does Ben dislike
        What is Ana's favorite book?
        would I rather use pnpm
        What does Ben hate about meetings?
        Recommend a book I would read.
        Can you suggest a restaurant?
        do we prefer composition
        Which theme did I say I preferred?
        Is Ana fond of hiking?
        what do I love about Rust
        What would you recommend for dinner tonight?
    """,
    "instruction": """
        how should we name branches
        are we allowed to push to main
        What's the rule for commit messages?
        must tests be deterministic
        How do we format imports?
        what are the conventions for error codes
        Should I squash before merging?
        what are we supposed to do before a release
        What did I instruct you to do about logs?
        should the agent ask before deleting files
        What have I asked you to never touch?
        do we have to sign commits
        how do we deploy the worker
        am I allowed to edit generated files
        What are the guidelines for docstrings?
        must we run the linter first
        how do I release a version
    """,
    "yes_no": """
        is the cache still on
        does the api use HTTP
        Did Ana finish the report?
        Have we tried SQLite?
        was the bug in the parser
        Are the fixtures checked in?
        has Ben met Ana
        Can the worker restart itself?
        Is there a test for the reader?
        did the build pass
        Were the keys rotated?
        do we retry on 500
        And is it fixed?
        could the leak be in the driver
        Will Ana join the call?
        isn't the port 8080
        had we merged it by then
    """,
    "list": """
        list all open decisions
        what books has Ana read
        Which services do we run?
        what are all the places where we log
        What kinds of errors did we see?
        which instruments does Ben play
        name three things that went wrong
        What activities did Ana try?
        show me all tickets about caching
        what else did we change
        List the files that were touched.
        give me a list of flaky tests
        Which countries have they visited?
        what are some risks of the plan
        what types of tests are there
        Which other options were considered?
        enumerate the hooks
    """,
    "keywords": """
        retry policy
        retry policy yarn
        src/billing/reader.ts
        getUserName
        ABC-123
        flaky test windows
        a1b2c3d
        "cannot open database"
        postgres migration lock timeout
        never use yarn?
        Ana birthday
        idx_memory_units_text_search
        auth middleware bug
        yarn vs npm
        deploy friday
        日本語 検索
        TypeError: undefined is not a function
    """,
    "other": """
        why did we reject yarn
        What did Ana say about the plan?
        how does the fusion work
        Explain the retry policy.
        compare yarn and npm
        Why is the suite slow?
        what happened after the deploy
        what broke the build
        How did Ben react to the news?
        What is a lane?
        what do we do in src/billing
        Describe the design of the gate.
        why was ABC-123 closed
        What did the reviewer complain about?
        how was the leak fixed
        What led to the outage?
        which way did the vote go
    """,
}
"""By shape, one question a line."""
