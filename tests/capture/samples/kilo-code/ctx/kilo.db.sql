BEGIN TRANSACTION;
CREATE TABLE message (
  id text PRIMARY KEY,
  session_id text NOT NULL,
  time_created integer NOT NULL,
  time_updated integer NOT NULL,
  data text NOT NULL
);
CREATE TABLE part (
  id text PRIMARY KEY,
  message_id text NOT NULL,
  session_id text NOT NULL,
  time_created integer NOT NULL,
  time_updated integer NOT NULL,
  data text NOT NULL
);
CREATE TABLE permission (
  project_id text PRIMARY KEY,
  time_created integer NOT NULL,
  time_updated integer NOT NULL,
  data text NOT NULL
);
CREATE TABLE session (
  id text PRIMARY KEY,
  project_id text NOT NULL,
  parent_id text,
  slug text NOT NULL,
  directory text NOT NULL,
  title text NOT NULL,
  version text NOT NULL,
  share_url text,
  summary_additions integer,
  summary_deletions integer,
  summary_files integer,
  summary_diffs text,
  metadata text,
  cost real NOT NULL DEFAULT 0,
  tokens_input integer NOT NULL DEFAULT 0,
  tokens_output integer NOT NULL DEFAULT 0,
  tokens_reasoning integer NOT NULL DEFAULT 0,
  tokens_cache_read integer NOT NULL DEFAULT 0,
  tokens_cache_write integer NOT NULL DEFAULT 0,
  revert text,
  permission text,
  agent text,
  model text,
  time_created integer NOT NULL,
  time_updated integer NOT NULL,
  time_compacting integer,
  time_archived integer,
  workspace_id text
);
INSERT INTO "session" VALUES('kilo-root','project-1',NULL,'kilo-root','/workspace/kilo','Kilo root','0.8.0',NULL,NULL,NULL,NULL,NULL,'{"surface":"cli"}',0.25,12,18,0,1,2,NULL,'[]','build','{"id":"kilo-auto/free","providerID":"kilo"}',1783180800000,1783180801000,NULL,NULL,NULL);
CREATE TABLE session_message (
  id text PRIMARY KEY,
  session_id text NOT NULL,
  type text NOT NULL,
  time_created integer NOT NULL,
  time_updated integer NOT NULL,
  data text NOT NULL
);
INSERT INTO "session_message" VALUES('kilo-msg-user','kilo-root','user',1783180800000,1783180800000,'{"time":{"created":1783180800000},"text":"kilo fixture import oracle"}');
INSERT INTO "session_message" VALUES('kilo-msg-assistant','kilo-root','assistant',1783180801000,1783180801000,'{"time":{"created":1783180801000},"content":[{"type":"text","text":"native kilo import ok"}]}');
CREATE TABLE todo (
  session_id text NOT NULL,
  content text NOT NULL,
  status text NOT NULL,
  priority text NOT NULL,
  position integer NOT NULL,
  time_created integer NOT NULL,
  time_updated integer NOT NULL,
  PRIMARY KEY (session_id, position)
);
COMMIT;
