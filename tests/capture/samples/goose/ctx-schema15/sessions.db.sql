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
INSERT INTO "messages" VALUES(1,'goose-user','goose-root','user','[{"text":"goose sqlite search oracle request","type":"text"}]',1782259200,'2026-06-24T12:00:00Z','{"input":8}','{"source":"fixture"}');
INSERT INTO "messages" VALUES(2,'goose-tool','goose-root','assistant','[{"thinking":"looking at goose schema v15","type":"thinking"},{"toolCall":{"arguments":{"cmd":"rg goose"},"id":"goose-tool-call","name":"developer__shell"},"type":"toolRequest"}]',1782259201,'2026-06-24T12:00:01Z','{"output":12}','{"model":"gpt-5"}');
INSERT INTO "messages" VALUES(3,'goose-output','goose-root','tool','[{"toolCallId":"goose-tool-call","toolResult":{"content":[{"text":"goose tool output oracle","type":"text"}]},"type":"toolResponse"}]',1782259202,'2026-06-24T12:00:02Z',NULL,'{}');
CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO "schema_version" VALUES(15);
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
            project_id TEXT,
            parent_session_id TEXT
        );
INSERT INTO "sessions" VALUES('goose-root','Goose Fixture','native schema-v15 sessions fixture',1,'chat','/workspace/goose','2026-06-24T12:00:00Z','2026-06-24T12:03:00Z','{"extensions":["ctx"]}',123,80,43,123,80,43,0.042,'openai','{"model_name":"gpt-5"}','auto',NULL,'project-goose',NULL);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('messages',3);
COMMIT;
