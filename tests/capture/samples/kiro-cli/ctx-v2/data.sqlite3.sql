CREATE TABLE conversations_v2 (
    key TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    value TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (key, conversation_id)
);
INSERT INTO "conversations_v2" (key, conversation_id, value, created_at, updated_at) VALUES ('/workspace/kiro-fixture', '00000000-0000-4000-8000-000000000001', '{"conversation_id":"00000000-0000-4000-8000-000000000001","history":[{"user":{"timestamp":"2026-06-25T20:10:00Z","content":{"Prompt":{"prompt":"kiro oracle prompt asks for the SQLite importer plan"}}},"assistant":{"timestamp":"2026-06-25T20:10:03Z","Response":{"content":"Kiro oracle response confirms the sanitized fixture imports."}}},{"assistant":{"timestamp":"2026-06-25T20:10:05Z","ToolUse":{"content":"Inspecting the workspace for kiro oracle evidence.","tool_uses":[{"id":"toolu_kiro_fixture_1","name":"grep","args":{"pattern":"kiro oracle","path":"/workspace/kiro-fixture"}}]}}}]}', 1782418200000, 1782418205000);
CREATE TABLE conversations (
    key TEXT PRIMARY KEY,
    value TEXT
);
