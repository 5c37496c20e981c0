BEGIN TRANSACTION;
CREATE TABLE files (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  path TEXT NOT NULL,
  version TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
INSERT INTO "files" VALUES('file-1','crush-root','/workspace/crush/src/main.go','v1',1782259203000,1782259203000);
CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  role TEXT NOT NULL,
  parts TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  provider TEXT,
  model TEXT,
  is_summary_message INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "messages" VALUES('crush-user','crush-root','user','[{"type":"text","data":{"text":"crush sqlite search oracle request"}}]',1782259200000,1782259200000,'anthropic','claude-sonnet-4-5',0);
INSERT INTO "messages" VALUES('crush-tool','crush-root','assistant','[{"type":"tool_call","data":{"id":"tool-1","name":"bash","input":{"command":"rg crush"}}},{"type":"text","data":{"text":"I will inspect Crush files."}}]',1782259201000,1782259201000,'anthropic','claude-sonnet-4-5',0);
INSERT INTO "messages" VALUES('crush-summary','crush-root','assistant','[{"type":"text","data":{"text":"summary: crush native sqlite support works"}}]',1782259202000,1782259202000,'anthropic','claude-sonnet-4-5',1);
INSERT INTO "messages" VALUES('crush-child-msg','crush-child','assistant','[{"type":"reasoning","data":{"thinking":"child reasoning"}},{"type":"shell_command","data":{"command":"go test ./...","output":"ok crush child"}}]',1782259206000,1782259206000,'openai','gpt-5',0);
CREATE TABLE read_files (
  session_id TEXT NOT NULL,
  path TEXT NOT NULL,
  read_at INTEGER NOT NULL
);
INSERT INTO "read_files" VALUES('crush-root','/workspace/crush/README.md',1782259203);
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  parent_session_id TEXT,
  title TEXT,
  prompt_tokens INTEGER,
  completion_tokens INTEGER,
  cost REAL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  summary_message_id TEXT
);
INSERT INTO "sessions" VALUES('crush-root',NULL,'Crush Fixture',40,25,0.019,1782259200000,1782259204000,'crush-summary');
INSERT INTO "sessions" VALUES('crush-child','crush-root','Crush Child',10,12,0.007,1782259205000,1782259207000,NULL);
COMMIT;
