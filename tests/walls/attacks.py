"""What was tried against the wall. `REFUSED` must be refused outright, `ALIKE` must not tell the two worlds apart, `HEAVY` must
end within the limits."""

from __future__ import annotations

_TABLES = (
    "migrations meta sessions blobs events positions verdicts tombstones shown calls entities facts intervals links tags evidence"
    " lines proposals speakers turns said_text work_text fact_text sources skips vector_models vectors vector_pages"
).split()
_SHADOWS = [f"{index}_{part}" for index in ("said_text", "fact_text") for part in ("data", "idx", "docsize", "config")]
_BOMB = "abs(CASE WHEN {0} LIKE '%SECRET%' THEN -9223372036854775807 - 1 ELSE 1 END)"

REFUSED: tuple[str, ...] = (
    *(f"SELECT * FROM src.{table}" for table in (*_TABLES, *_SHADOWS)),
    *(f"WITH x AS (SELECT * FROM {table}) SELECT * FROM x" for table in ("verdicts", "facts", "meta", "lines", "blobs", *_SHADOWS[:3])),
    # --- ways to write the same name
    'SELECT * FROM "src"."verdicts"', "SELECT * FROM [src].[verdicts]", "SELECT * FROM `src`.`verdicts`",
    "SELECT * FROM 'src'.'verdicts'", "SELECT * FROM SRC.VerDicts", "SELECT * FROM src/**/./**/verdicts",
    "SELECT * FROM verdicts", "SELECT * FROM ((verdicts))", "SELECT * FROM src.lines NOT INDEXED", "SELECT * FROM main.journal",
    "SELECT * FROM main.catalogue", "SELECT * FROM journal", "SELECT * FROM catalogue", "SELECT * FROM src.v_now",
    "SELECT * FROM main.v_now", "SELECT * FROM lines INDEXED BY lines_all",
    # --- names given to a part of the query, which the engine reports as if they were views
    "WITH v_now AS (SELECT * FROM src.verdicts) SELECT * FROM v_now",
    "WITH events AS (SELECT * FROM src.events) SELECT * FROM events",
    "WITH entities AS (SELECT kind, key FROM src.entities) SELECT * FROM entities",
    "WITH deliveries AS (SELECT * FROM main.journal) SELECT * FROM deliveries",
    "WITH x AS MATERIALIZED (SELECT * FROM verdicts) SELECT * FROM x",
    "WITH x AS NOT MATERIALIZED (SELECT reason FROM src.verdicts) SELECT count(reason) FROM x",
    "WITH a AS (WITH b AS (SELECT * FROM verdicts) SELECT * FROM b) SELECT * FROM a",
    "WITH x AS (SELECT literal FROM src.facts) SELECT * FROM x WHERE literal LIKE '%SECRET%'",
    "WITH v_history AS (SELECT literal AS object FROM src.facts) SELECT object FROM v_history",
    "WITH RECURSIVE v_now AS (SELECT id FROM verdicts UNION SELECT id FROM v_now) SELECT * FROM v_now",
    "SELECT (WITH x AS (SELECT reason FROM verdicts) SELECT reason FROM x)",
    "SELECT * FROM (SELECT * FROM src.verdicts) AS v_now", "SELECT * FROM (SELECT * FROM src.lines) v_now, v_now b",
    "SELECT v_now.line FROM src.lines AS v_now", "SELECT events.text_blob FROM src.events AS events",
    # --- joins by name, about whose columns the engine asks nobody
    "SELECT count(*) FROM src.events NATURAL JOIN v_now", "SELECT count(*) FROM facts NATURAL JOIN v_now",
    "WITH x (literal) AS (VALUES ('SECRET')) SELECT count(*) FROM x JOIN facts USING (literal)",
    "SELECT count(*) FROM (SELECT 'noted' AS predicate) NATURAL JOIN lines", "SELECT 1 FROM facts JOIN lines USING (predicate)",
    "SELECT x.key FROM (SELECT 'format' AS key) x NATURAL LEFT JOIN meta", "SELECT 1 FROM facts JOIN lines USING\t(predicate)",
    "SELECT 1 FROM fact_text('SECRET') NATURAL JOIN (SELECT NULL AS text)", "SELECT count(*) FROM verdicts a NATURAL JOIN verdicts b",
    "SELECT count(*) FROM v_now CROSS JOIN events e JOIN facts USING (uid)", "SELECT 1 FROM lines nAtUrAl JOIN v_now",
    "SELECT count(*) FROM sqlite_schema NATURAL JOIN (SELECT 'table' AS type)", "SELECT 1 FROM v_now n JOIN lines\nUSING\n(predicate)",
    "SELECT n.id FROM v_now n FULL JOIN facts USING (predicate)", "SELECT 1 FROM facts/**/NATURAL/**/JOIN lines",
    "SELECT \'\'\' USING (\' FROM facts JOIN lines USING (predicate) WHERE \'x\' = \'\'\'\'",
    "SELECT \"'\" FROM facts JOIN lines USING (predicate) --'", "SELECT 1 FROM facts f JOIN lines l USING(predicate)WHERE'a'='a'",
    "SELECT ['] FROM (SELECT 1 AS ['], 'ran' AS predicate) NATURAL JOIN facts --'",
    # --- everywhere that a query may stand
    "SELECT id FROM v_now UNION ALL SELECT reason FROM verdicts", "SELECT (SELECT reason FROM src.verdicts)",
    "SELECT EXISTS (SELECT 1 FROM src.verdicts)", "SELECT 'x' IN src.tombstones", "SELECT 'x' IN (SELECT reason FROM verdicts)",
    "SELECT id FROM v_now ORDER BY (SELECT reason FROM verdicts)", "SELECT id FROM v_now LIMIT (SELECT count(id) FROM src.verdicts)",
    "SELECT id FROM v_now LIMIT 1 OFFSET (SELECT count(n) FROM src.facts)",
    "SELECT count(*) FILTER (WHERE (SELECT reason FROM src.verdicts) LIKE 'S%') FROM v_now",
    "SELECT f.id, s.reason FROM v_now f, src.verdicts s", "SELECT * FROM v_now NATURAL JOIN src.lines",
    "SELECT * FROM v_now JOIN src.facts USING (predicate)", "SELECT f.id FROM v_now f LEFT JOIN src.lines s ON s.line LIKE 'S%'",
    "SELECT f.id FROM v_now f RIGHT JOIN src.lines s", "SELECT f.id FROM v_now f FULL JOIN src.facts s ON s.predicate = f.predicate",
    "VALUES ((SELECT reason FROM src.verdicts))", "SELECT (1, 2) = (SELECT key, value FROM src.meta)",
    "SELECT sum(rung) OVER (ORDER BY (SELECT reason FROM src.verdicts)) FROM v_now",
    "SELECT rung FROM v_now GROUP BY (SELECT value FROM src.meta)", "SELECT CASE WHEN 1 THEN (SELECT value FROM src.meta) END",
    "SELECT rung FROM v_now HAVING (SELECT value FROM src.meta)", "SELECT * FROM json_each((SELECT json_array(value) FROM src.meta))",
    "SELECT iif((SELECT count(n) FROM src.events) > 5, 1, 2)", "SELECT max((SELECT max(n) FROM src.facts), 1)",
    # --- counts, row numbers, nothing but existence
    "SELECT count(*) FROM src.facts", "SELECT count(*) FROM facts", "SELECT 1 FROM src.verdicts", "SELECT rowid FROM src.facts",
    "SELECT _rowid_ FROM src.lines", "SELECT max(oid) FROM src.events", "SELECT count(1) FROM src.sessions",
    "SELECT NULL FROM src.blobs LIMIT 1", "SELECT count(*) FROM (SELECT * FROM src.facts)", "SELECT count(*) FROM main.journal",
    "SELECT count(*) FROM src.facts, v_now", "SELECT 1 WHERE EXISTS (SELECT 1 FROM src.facts WHERE predicate = 'noted')",
    # --- columns that are not granted
    "SELECT agent FROM v_now", "SELECT method FROM v_now", "SELECT agent FROM events", "SELECT speaker FROM events",
    "SELECT harness FROM events", "SELECT parent FROM events", "SELECT agent_role FROM deliveries", "SELECT origin FROM v_history",
    "SELECT session FROM entities", "SELECT line FROM v_now", "SELECT v_now.rank_key FROM v_now", "SELECT e.agent FROM events",
    "SELECT id FROM v_now WHERE agent LIKE 'S%'", "SELECT id FROM v_now ORDER BY method",
    "SELECT count(*) FROM events GROUP BY speaker", "SELECT f.agent FROM v_now f", 'SELECT "agent" FROM events WHERE "agent" > 1',
    # --- the catalogue of the engine
    "SELECT * FROM sqlite_master", "SELECT * FROM src.sqlite_schema", "SELECT * FROM sqlite_temp_master", "SELECT sql FROM temp.sqlite_schema",
    "SELECT name FROM sqlite_temp_schema WHERE name LIKE 'cap%'", "SELECT count(*) FROM src.sqlite_master",
    "SELECT * FROM src.sqlite_sequence", "SELECT * FROM src.sqlite_stat1", "SELECT * FROM sqlite_stat4", "SELECT * FROM dbstat",
    "SELECT * FROM dbstat('src')", "SELECT * FROM sqlite_dbpage('src')", "SELECT * FROM bytecode('select 1')",
    "SELECT * FROM tables_used('select * from src.facts')", "SELECT * FROM sqlite_stmt", "SELECT * FROM pragma_table_info('facts')",
    "SELECT * FROM pragma_table_list", "SELECT * FROM pragma_database_list", "SELECT * FROM pragma_function_list",
    "SELECT * FROM pragma_index_list('lines')", "SELECT * FROM fts5vocab", "SELECT * FROM pragma_table_xinfo('v_now')",
    "SELECT name FROM pragma_module_list", "SELECT * FROM pragma_page_count", "SELECT * FROM pragma_compile_options",
    "EXPLAIN SELECT * FROM v_now", "EXPLAIN QUERY PLAN SELECT * FROM v_now", "/* */ EXPLAIN SELECT * FROM v_now",
    "-- a\nEXPLAIN QUERY PLAN SELECT * FROM v_now",
    # --- the text index and what lies under it
    "SELECT * FROM src.said_text WHERE said_text MATCH 'SECRET'", "SELECT rowid FROM fact_text WHERE fact_text MATCH 'SECRET*'",
    "SELECT * FROM fact_text('SECRET')", "SELECT count(*) FROM fact_text('SECRET')", "SELECT rank FROM src.fact_text",
    "SELECT bm25(said_text) FROM said_text WHERE said_text MATCH 'note'", "SELECT block FROM src.said_text_data",
    "SELECT term FROM src.fact_text_idx", "SELECT * FROM v_now WHERE v_now MATCH 'a'", "SELECT * FROM v_now WHERE object MATCH 'a'",
    "CREATE VIRTUAL TABLE temp.v USING fts5vocab('src', 'said_text', 'row')",
    # --- functions
    "SELECT load_extension('x')", "SELECT readfile('/etc/passwd')", "SELECT writefile('x', 'y')", "SELECT edit('x')",
    "SELECT fts3_tokenizer('simple')", "SELECT sqlite_compileoption_get(1)", "SELECT sqlite_version()", "SELECT sqlite_source_id()",
    "SELECT muniment_text(x'28b52ffd', 1)", "SELECT muniment_show(x'00')", "SELECT muniment_hash('a')", "SELECT muniment_now()",
    "SELECT muniment_at()", "SELECT id FROM v_now WHERE muniment_now() > 1", "SELECT MUNIMENT_HASH(moment) FROM deliveries",
    "WITH v_now AS (SELECT muniment_now() AS n) SELECT n FROM v_now", "SELECT random()", "SELECT changes()", "SELECT total_changes()",
    "SELECT last_insert_rowid()", "SELECT sqlite_offset(id) FROM v_now", "SELECT subtype(id) FROM v_now", "SELECT sqlite_log(1, 'x')",
    "SELECT zeroblob(10)", "SELECT randomblob(10)", "SELECT replace('a', 'a', 'b')", "SELECT printf('%d', 1)", "SELECT format('%d', 1)",
    "SELECT hex('a')", "SELECT quote(id) FROM v_now", "SELECT unistr('a')", "SELECT json_group_array(id) FROM v_now", "SELECT soundex('a')",
    "SELECT likelihood(1, 0.5)", "SELECT char(65)", "SELECT unlikely(1)", "SELECT match('a', 'b')",
    # --- writes, and what changes the connection
    "INSERT INTO src.verdicts VALUES (1, 2)", "UPDATE src.facts SET literal = 'x'", "DELETE FROM src.facts", "REPLACE INTO v_now (id) VALUES (1)",
    "INSERT INTO main.journal (session) VALUES ('ann-1')", "INSERT INTO catalogue VALUES (1, 2, 3, 4)", "DELETE FROM main.catalogue",
    "WITH x AS (SELECT 1) DELETE FROM src.facts", "WITH x AS (SELECT 1) INSERT INTO main.journal (session) SELECT 'ann-1'",
    "WITH x AS (SELECT 1) UPDATE main.catalogue SET relation = 'x' RETURNING *", "CREATE TABLE t (x)", "CREATE TABLE src.t (x)",
    "CREATE TEMP TABLE t AS SELECT * FROM src.verdicts", "CREATE TEMP VIEW z AS SELECT * FROM src.verdicts",
    "CREATE TEMP TRIGGER t INSTEAD OF INSERT ON v_now BEGIN SELECT * FROM verdicts; END", "DROP VIEW v_now", "DROP VIEW temp.v_now",
    "CREATE INDEX src.i ON facts (literal)", "ALTER TABLE src.facts RENAME TO g", "INSERT INTO src.said_text (said_text) VALUES ('optimize')",
    "PRAGMA table_list", "PRAGMA src.table_info(facts)", "PRAGMA query_only=0", "PRAGMA writable_schema=1", "PRAGMA src.journal_mode=DELETE",
    "PRAGMA hard_heap_limit=1", "PRAGMA wal_checkpoint", "PRAGMA data_version", "ATTACH ':memory:' AS m", "ATTACH 'leak.db' AS w",
    "DETACH src", "VACUUM", "VACUUM src INTO 'leak.db'", "REINDEX", "ANALYZE", "BEGIN EXCLUSIVE", "SAVEPOINT x", "COMMIT", "ROLLBACK",
    "RELEASE x", "END",
    # --- more than one statement, and none
    "SELECT 1; SELECT * FROM src.verdicts", "SELECT 1; DELETE FROM src.facts", "SELECT 1; SELECT 2", "SELECT 1;; SELECT 2",
    "SELECT id FROM v_now; EXPLAIN SELECT 1", "SELECT 1\0; SELECT 2", "", " ", ";", "--", "/* */", "SELECT", "garbage", "(SELECT 1)",
    # --- parameters
    "SELECT ?", "SELECT :a", "SELECT ?1", "SELECT @x", "SELECT $y FROM v_now",
)  # fmt: skip

ALIKE: tuple[str, ...] = (
    "SELECT * FROM v_now", "SELECT * FROM v_now WHERE 1 OR 1 = 1", "SELECT * FROM v_history", "SELECT * FROM events", "SELECT * FROM entities",
    "SELECT * FROM deliveries", "SELECT * FROM relations", "SELECT group_concat(object) FROM v_now", "SELECT count(*) FROM events",
    "SELECT text FROM events WHERE session LIKE 'bo%'", "SELECT * FROM v_now WHERE session = 'bo-1'", "SELECT max(seq), min(seq) FROM events",
    "SELECT model, count(*) FROM events GROUP BY 1", "SELECT moment, count(*) FROM deliveries GROUP BY 1", "SELECT DISTINCT moment FROM deliveries",
    "SELECT kind, count(*), sum(facts) FROM entities GROUP BY 1", "SELECT v_now.rowid FROM v_now", "SELECT rowid FROM events",
    *(
        f"SELECT count(*) FROM {relation} WHERE {_BOMB.format(column)} > 0"
        for relation, columns in (
            ("v_now", "object subject session predicate topic receipt id"), ("v_history", "object subject session predicate"),
            ("events", "text session model receipt kind"), ("deliveries", "query session moment"), ("entities", "key kind facts"),
        )
        for column in columns.split()
    ),
    *(f"SELECT 1 FROM events ORDER BY {_BOMB.format('text')}", f"SELECT sum({_BOMB.format('object')}) OVER () FROM v_now"),
    f"SELECT count(*) FROM v_now WHERE predicate = 'ran' AND {_BOMB.format('object')} > 0",
    f"SELECT count(*) FROM v_now WHERE predicate = 'noted' AND session = 'bo-1' AND {_BOMB.format('object')} > 0",
    f"SELECT count(*) FROM v_now a JOIN v_history b ON {_BOMB.format('a.object')} > 0 AND a.id = b.id",
    f"SELECT key, count(*) FROM entities GROUP BY key HAVING {_BOMB.format('key')} > 0",
    f"SELECT max({_BOMB.format('key')}) FROM entities WHERE kind = 'path'",
    "SELECT count(*) FROM events WHERE json_extract(CASE WHEN text LIKE '%SECRET%' THEN '{' ELSE '{}' END, '$') IS NULL",
    "SELECT count(*) FROM v_now WHERE object LIKE CASE WHEN session LIKE 'bo%' THEN 'x' ELSE '%' END ESCAPE CASE WHEN session LIKE 'bo%' THEN 'xx' ELSE 'x' END",
    "SELECT count(*) FROM v_now JOIN entities ON entities.key = v_now.object", "SELECT min(observed_at), max(observed_at) FROM v_history",
    "SELECT * FROM events e WHERE EXISTS (SELECT 1 FROM v_now n WHERE n.session <> e.session AND n.session LIKE 'bo%')",
)  # fmt: skip

HEAVY: tuple[str, ...] = (
    "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
    "SELECT count(*) FROM events a, events b, events c, events d", "SELECT length(zeroblob(1000000000))",
    "SELECT length(printf('%.*c', 999999999, 'x'))", "SELECT hex(randomblob(100000000))",
    "SELECT replace(replace(printf('%.*c', 60000, 'x'), 'x', 'xxxxxxxxxx'), 'x', printf('%.*c', 1000, 'y'))",
    "SELECT count(*) FROM events WHERE text LIKE '" + "%a" * 400 + "%'", "SELECT " + "(" * 400 + "1" + ")" * 400,
    "SELECT 1" + " UNION SELECT 1" * 400, "SELECT " + "1 + " * 2000 + "1", "SELECT " + ", ".join("1" * 2000), "SELECT '" + "x" * 9000 + "'",
    "SELECT group_concat(a.text) FROM events a, events b, events c",
    "SELECT (SELECT group_concat('a', '') FROM (SELECT 1 FROM events a, events b, events c LIMIT 400000)) LIKE '%a_a%a_a%a_a%a_b'",
    "SELECT (SELECT group_concat('a', '') FROM (SELECT 1 FROM events a, events b, events c LIMIT 400000)) GLOB '*a[a-z]*a?a*a?a*b'",
    "SELECT a.text FROM events a, events b, events c ORDER BY a.text || b.text || c.text",
    "SELECT DISTINCT a.text || b.text || c.text FROM events a, events b, events c",
    "SELECT a.text || b.text || c.text, count(*) FROM events a, events b, events c GROUP BY 1",
    "SELECT count(DISTINCT a.text || b.text || c.receipt) FROM events a, events b, events c",
    "SELECT sum(a.seq) OVER (ORDER BY a.text || b.text || c.text) FROM events a, events b, events c",
    "WITH x AS MATERIALIZED (SELECT a.text || b.text || c.text AS t FROM events a, events b, events c) SELECT count(*) FROM x p, x q",
    "SELECT count(*) FROM json_tree('[" + ",".join(["[1]"] * 1500) + "]') a, json_tree('[" + ",".join(["1"] * 300) + "]') b, events c, events d",
    "SELECT instr(group_concat(a.text || b.text), 'zzzz') FROM events a, events b, events c",
)  # fmt: skip
