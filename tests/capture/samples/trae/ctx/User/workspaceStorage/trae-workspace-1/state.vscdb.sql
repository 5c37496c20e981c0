BEGIN TRANSACTION;
CREATE TABLE ItemTable ([key] TEXT PRIMARY KEY, value TEXT);
INSERT INTO "ItemTable" VALUES('memento/icube-ai-agent-storage','{"list":[{"sessionId":"trae-fixture-session","title":"Trae fixture chat","createdAt":1783209600000,"updatedAt":1783209660000,"messages":[{"id":"msg-user-1","role":"user","content":"trae oracle prompt from state vscdb","createdAt":1783209600000},{"id":"msg-assistant-1","role":"assistant","content":{"text":"trae oracle answer from state vscdb"},"modelType":"fixture-model","createdAt":1783209660000}]}]}');
COMMIT;
