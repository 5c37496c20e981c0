CREATE TABLE conversations (
  conversation_id TEXT PRIMARY KEY NOT NULL,
  title TEXT,
  workspace_id BIGINT NOT NULL,
  context TEXT,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMP,
  metrics TEXT
);
INSERT INTO "conversations" (conversation_id, title, workspace_id, context, created_at, updated_at, metrics) VALUES ('forge-root', 'ForgeCode fixture', 42, '{"conversation_id":"forge-root","initiator":"forgecode","messages":[{"message":{"text":{"role":"User","content":"forgecode oracle prompt please update src/forge_oracle.rs"}},"usage":{"prompt_tokens":{"Actual":10},"completion_tokens":{"Actual":0},"total_tokens":{"Actual":10},"cached_tokens":{"Actual":0}}},{"message":{"text":{"role":"Assistant","content":"I will patch the ForgeCode oracle file.","tool_calls":[{"name":"write","call_id":"call-write-1","arguments":{"path":"src/forge_oracle.rs","content":"proof"}}],"model":"forge/test-model"}}},{"message":{"tool":{"name":"write","call_id":"call-write-1","output":{"is_error":false,"values":[{"text":"wrote src/forge_oracle.rs"}]}}}}],"tools":[{"name":"write","description":"Write a file","input_schema":{"type":"object"}}],"tool_choice":{"Call":"write"},"temperature":0.2,"stream":true}', '2026-06-24 12:00:00', '2026-06-24 12:05:00', '{"started_at":"2026-06-24T12:00:01Z","files_changed":{"src/forge_oracle.rs":{"lines_added":7,"lines_removed":2,"content_hash":"fixturehash","tool":"patch"},"src/forge_notes.md":[{"lines_added":1,"lines_removed":0,"tool":"read"},{"lines_added":3,"lines_removed":1,"content_hash":"noteshash","tool":"write"}]},"files_accessed":["src/forge_input.rs"]}');
