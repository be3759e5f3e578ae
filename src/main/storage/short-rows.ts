/** The migration after which rows name threads and items by numbers and hold texts packed; older rows stay as they were written. */

/**
 * A column `ANY` holds text or what `packText` made of it. A number is never given twice: what a thread that is gone
 * left behind must not be another's. An item whose first event does not begin it has no position.
 */
export const shortRows = `
  CREATE TABLE thread_numbers (number INTEGER PRIMARY KEY AUTOINCREMENT, thread_id TEXT NOT NULL UNIQUE) STRICT;
  INSERT INTO thread_numbers (thread_id) SELECT DISTINCT thread_id FROM events;

  ALTER TABLE items RENAME TO long_items;
  DROP INDEX items_by_id;
  CREATE TABLE items (
    number INTEGER PRIMARY KEY AUTOINCREMENT, thread INTEGER NOT NULL, item_id TEXT NOT NULL, position INTEGER
  ) STRICT;
  INSERT INTO items (thread, item_id, position)
    SELECT n.number, e.item_id, i.position FROM (SELECT thread_id, item_id, min(seq) AS seq FROM events GROUP BY 1, 2) e
      JOIN thread_numbers n ON n.thread_id = e.thread_id
      LEFT JOIN long_items i ON i.thread_id = e.thread_id AND i.item_id = e.item_id ORDER BY e.seq;
  DROP TABLE long_items;
  CREATE UNIQUE INDEX items_by_id ON items(thread, item_id);
  CREATE INDEX items_by_position ON items(thread, position) WHERE position IS NOT NULL;

  ALTER TABLE events RENAME TO long_events;
  DROP INDEX events_by_thread;
  DROP INDEX events_by_item;
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, thread INTEGER NOT NULL, item INTEGER NOT NULL, at INTEGER NOT NULL, data ANY NOT NULL
  ) STRICT;
  INSERT INTO events (seq, thread, item, at, data)
    SELECT e.seq, n.number, i.number, e.at, e.data FROM long_events e JOIN thread_numbers n ON n.thread_id = e.thread_id
      JOIN items i ON i.thread = n.number AND i.item_id = e.item_id ORDER BY e.seq;
  INSERT OR REPLACE INTO sqlite_sequence (rowid, name, seq)
    SELECT (SELECT rowid FROM sqlite_sequence WHERE name = 'events'), 'events', seq FROM sqlite_sequence WHERE name = 'long_events';
  DROP TABLE long_events;
  CREATE INDEX events_by_thread ON events(thread, seq);
  CREATE INDEX events_by_item ON events(item);

  ALTER TABLE tool_calls RENAME TO long_tool_calls;
  DROP INDEX tool_calls_by_thread;
  CREATE TABLE tool_calls (key TEXT PRIMARY KEY, thread_id TEXT NOT NULL, args ANY NOT NULL, route ANY NOT NULL) STRICT;
  INSERT INTO tool_calls SELECT key, thread_id, args, route FROM long_tool_calls ORDER BY rowid;
  DROP TABLE long_tool_calls;
  CREATE INDEX tool_calls_by_thread ON tool_calls(thread_id);

  ALTER TABLE approvals RENAME TO long_approvals;
  DROP INDEX approvals_pending;
  DROP INDEX approvals_by_thread;
  DROP INDEX approvals_unconsumed;
  CREATE TABLE approvals (
    id TEXT PRIMARY KEY, call_key TEXT NOT NULL, sequence INTEGER NOT NULL, kind TEXT NOT NULL, thread_id TEXT NOT NULL,
    turn_id TEXT NOT NULL, item_id TEXT NOT NULL, agent_path TEXT NOT NULL, tool TEXT NOT NULL, args ANY NOT NULL,
    cwd TEXT NOT NULL, subject ANY NOT NULL, description TEXT, verdict ANY NOT NULL, risk TEXT NOT NULL,
    allowed TEXT NOT NULL, args_schema ANY, value ANY, interrupt_id TEXT, action_index INTEGER, base_hash TEXT,
    digest TEXT NOT NULL, shape TEXT NOT NULL, status TEXT NOT NULL, requested_at INTEGER NOT NULL, snoozed_until INTEGER,
    decision TEXT, decided_by TEXT, decided_at INTEGER, effective_at INTEGER, consumed_at INTEGER,
    asked_by TEXT NOT NULL, seen TEXT, said TEXT, width TEXT, origins TEXT, server TEXT, UNIQUE (call_key, sequence)
  ) STRICT;
  INSERT INTO approvals (rowid, id, call_key, sequence, kind, thread_id, turn_id, item_id, agent_path, tool, args, cwd, subject, description, verdict, risk,
      allowed, args_schema, value, interrupt_id, action_index, base_hash, digest, shape, status, requested_at, snoozed_until, decision,
      decided_by, decided_at, effective_at, consumed_at, asked_by, seen, said, width, origins, server)
    SELECT rowid, id, call_key, sequence, kind, thread_id, turn_id, item_id, agent_path, tool, args, cwd, subject, description, verdict, risk,
      allowed, args_schema, value, interrupt_id, action_index, base_hash, digest, shape, status, requested_at, snoozed_until, decision,
      decided_by, decided_at, effective_at, consumed_at, asked_by, seen, said, width, origins, server
    FROM long_approvals ORDER BY rowid;
  DROP TABLE long_approvals;
  CREATE INDEX approvals_pending ON approvals(thread_id) WHERE status = 'pending';
  CREATE INDEX approvals_by_thread ON approvals(thread_id);
  CREATE INDEX approvals_unconsumed ON approvals(thread_id) WHERE status = 'decided' AND consumed_at IS NULL;

  ALTER TABLE executions RENAME TO long_executions;
  DROP INDEX executions_by_call;
  DROP INDEX executions_by_thread;
  DROP INDEX executions_open;
  CREATE TABLE executions (
    id TEXT PRIMARY KEY, call_key TEXT NOT NULL, thread_id TEXT NOT NULL, turn_id TEXT NOT NULL, item_id TEXT NOT NULL,
    tool TEXT NOT NULL, state TEXT NOT NULL, what TEXT NOT NULL, args ANY NOT NULL, pid INTEGER, process_started TEXT,
    log_path TEXT, started_at INTEGER NOT NULL, finished_at INTEGER, outcome TEXT, result ANY, receipt TEXT, width TEXT
  ) STRICT;
  INSERT INTO executions (rowid, id, call_key, thread_id, turn_id, item_id, tool, state, what, args, pid, process_started, log_path, started_at,
      finished_at, outcome, result, receipt, width)
    SELECT rowid, id, call_key, thread_id, turn_id, item_id, tool, state, what, args, pid, process_started, log_path, started_at,
      finished_at, outcome, result, receipt, width
    FROM long_executions ORDER BY rowid;
  DROP TABLE long_executions;
  CREATE INDEX executions_by_call ON executions(call_key);
  CREATE INDEX executions_by_thread ON executions(thread_id);
  CREATE INDEX executions_open ON executions(state) WHERE state = 'started';

  ALTER TABLE readings RENAME TO long_readings;
  CREATE TABLE readings (
    thread_id TEXT NOT NULL, item_id TEXT NOT NULL, source TEXT NOT NULL, text TEXT, is_cut INTEGER NOT NULL,
    PRIMARY KEY (thread_id, item_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO readings SELECT thread_id, item_id, source, text, is_cut FROM long_readings;
  DROP TABLE long_readings;
  `;
