BEGIN TRANSACTION;
CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id TEXT,
  session_id TEXT NOT NULL,
  role TEXT NOT NULL,
  content_json TEXT NOT NULL,
  created_timestamp INTEGER NOT NULL,
  timestamp TEXT,
  tokens TEXT,
  metadata_json TEXT
);
INSERT INTO "messages" VALUES(1,'goose-user','goose-root','user','[{"type":"text","text":"goose sqlite search oracle request"}]',1782259200,'2026-06-24 12:00:00','{"input":8}','{"source":"fixture"}');
INSERT INTO "messages" VALUES(2,'goose-tool','goose-root','assistant','[{"type":"thinking","thinking":"looking at goose schema"},{"type":"toolRequest","toolCall":{"name":"developer__shell","arguments":{"cmd":"rg goose"}}}]',1782259201,'2026-06-24 12:00:01','{"output":12}','{"model":"gpt-5"}');
INSERT INTO "messages" VALUES(3,'goose-output','goose-root','tool','[{"type":"toolResponse","toolResult":{"content":[{"type":"text","text":"goose tool output oracle"}]}}]',1782259202,'2026-06-24 12:00:02',NULL,'{}');
CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO "schema_version" VALUES(14);
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  name TEXT,
  description TEXT,
  user_set_name INTEGER NOT NULL DEFAULT 0,
  session_type TEXT,
  working_dir TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  extension_data TEXT,
  total_tokens INTEGER,
  input_tokens INTEGER,
  output_tokens INTEGER,
  accumulated_total_tokens INTEGER,
  accumulated_input_tokens INTEGER,
  accumulated_output_tokens INTEGER,
  accumulated_cost REAL,
  provider_name TEXT,
  model_config_json TEXT,
  goose_mode TEXT,
  archived_at TEXT,
  project_id TEXT
);
INSERT INTO "sessions" VALUES('goose-root','Goose Fixture','native sessions fixture',1,'chat','/workspace/goose','2026-06-24 12:00:00','2026-06-24 12:03:00','{"extensions":["ctx"]}',123,80,43,123,80,43,0.042,'openai','{"model_name":"gpt-5"}','auto',NULL,'project-goose');
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('messages',3);
COMMIT;
