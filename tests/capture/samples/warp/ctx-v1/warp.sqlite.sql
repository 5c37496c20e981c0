CREATE TABLE agent_conversations (
    id INTEGER PRIMARY KEY,
    conversation_id TEXT NOT NULL UNIQUE,
    conversation_data TEXT NOT NULL,
    last_modified_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO "agent_conversations" (id, conversation_id, conversation_data, last_modified_at) VALUES (1, 'warp-conversation-1', '{"agent_name":"Sanitized Warp Agent","server_conversation_token":"warp-server-token-fixture","conversation_usage_metadata":{"primary_agent":{"input_tokens":12,"output_tokens":8}}}', '2026-06-24 12:00:05');
CREATE TABLE agent_tasks (
    id INTEGER PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    task_id TEXT NOT NULL UNIQUE,
    task BLOB NOT NULL,
    last_modified_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO "agent_tasks" (id, conversation_id, task_id, task, last_modified_at) VALUES (1, 'warp-conversation-1', 'warp-task-root', X'0A0E776172702D7461736B2D726F6F74121953616E6974697A656420576172702070726F6F66207461736B2A520A0F776172702D6D73672D757365722D315A0E776172702D7461736B2D726F6F746A0A776172702D7265712D3172060881BCECD106121B0A19776172702073716C697465206F7261636C652070726F6D70742A570A14776172702D6D73672D617373697374616E742D315A0E776172702D7461736B2D726F6F746A0A776172702D7265712D3172060882BCECD1061A1B0A19576172702073716C697465206F7261636C6520616E737765722A390A0F776172702D6D73672D746F6F6C2D315A0E776172702D7461736B2D726F6F746A0A776172702D7265712D3172060883BCECD106220212002A400A16776172702D6D73672D746F6F6C2D726573756C742D315A0E776172702D7461736B2D726F6F746A0A776172702D7265712D3172060884BCECD1062A021200321E53616E6974697A6564205761727020666978747572652073756D6D617279', '2026-06-24 12:00:04');
CREATE TABLE ai_queries (
    id INTEGER PRIMARY KEY,
    exchange_id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL,
    start_ts TIMESTAMP NOT NULL,
    input TEXT NOT NULL,
    working_directory TEXT,
    output_status TEXT NOT NULL,
    model_id TEXT NOT NULL,
    planning_model_id TEXT NOT NULL DEFAULT '',
    coding_model_id TEXT NOT NULL DEFAULT ''
);
INSERT INTO "ai_queries" (id, exchange_id, conversation_id, start_ts, input, working_directory, output_status, model_id, planning_model_id, coding_model_id) VALUES (1, 'warp-req-1', 'warp-conversation-1', '2026-06-24 12:00:01', '[{"query":"warp sqlite oracle prompt"}]', '/workspace/warp-fixture', '"completed"', 'fixture-model', '', 'fixture-model');
