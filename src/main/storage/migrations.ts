/** The schema of the console's database as a list of steps; a step that has shipped is never edited. */
import { shortRows } from "./short-rows.ts";

/** Each entry brings the database from `user_version` = its index to index + 1. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE threads (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, titled INTEGER NOT NULL DEFAULT 0, workspace TEXT NOT NULL,
    agent_id TEXT NOT NULL, model TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'new', problem TEXT,
    unread INTEGER NOT NULL DEFAULT 0, pinned INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0,
    forked_from TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE turns (
    id TEXT PRIMARY KEY, thread_id TEXT NOT NULL REFERENCES threads(id) ON DELETE CASCADE, message_id TEXT NOT NULL,
    text TEXT NOT NULL, attachments TEXT NOT NULL, status TEXT NOT NULL, checkpoint_before TEXT,
    created_at INTEGER NOT NULL, finished_at INTEGER
  ) STRICT;
  CREATE INDEX turns_by_thread ON turns(thread_id, created_at);
  CREATE INDEX turns_running ON turns(thread_id) WHERE status = 'running';
  CREATE INDEX turns_queued ON turns(thread_id) WHERE status = 'queued';
  CREATE TABLE commands (id TEXT PRIMARY KEY, result TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, thread_id TEXT NOT NULL, item_id TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_thread ON events(thread_id, seq);
  CREATE INDEX events_by_item ON events(thread_id, item_id);
  CREATE TABLE items (thread_id TEXT NOT NULL, position INTEGER NOT NULL, item_id TEXT NOT NULL, PRIMARY KEY (thread_id, position)) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX items_by_id ON items(thread_id, item_id);
  CREATE VIRTUAL TABLE search USING fts5(text, thread_id UNINDEXED, item_id UNINDEXED);
  CREATE TABLE tool_calls (
    key TEXT PRIMARY KEY, thread_id TEXT NOT NULL, turn_id TEXT NOT NULL, item_id TEXT NOT NULL, tool TEXT NOT NULL,
    args TEXT NOT NULL, route TEXT NOT NULL, at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tool_calls_by_thread ON tool_calls(thread_id);
  CREATE TABLE approvals (
    id TEXT PRIMARY KEY, call_key TEXT NOT NULL, sequence INTEGER NOT NULL, kind TEXT NOT NULL, thread_id TEXT NOT NULL,
    turn_id TEXT NOT NULL, item_id TEXT NOT NULL, agent_path TEXT NOT NULL, tool TEXT NOT NULL, args TEXT NOT NULL,
    cwd TEXT NOT NULL, subject TEXT NOT NULL, description TEXT, verdict TEXT NOT NULL, risk TEXT NOT NULL,
    allowed TEXT NOT NULL, args_schema TEXT, value TEXT, interrupt_id TEXT, action_index INTEGER, base_hash TEXT,
    digest TEXT NOT NULL, shape TEXT NOT NULL, status TEXT NOT NULL, requested_at INTEGER NOT NULL, snoozed_until INTEGER,
    decision TEXT, decided_by TEXT, decided_at INTEGER, effective_at INTEGER, consumed_at INTEGER,
    UNIQUE (call_key, sequence)
  ) STRICT;
  CREATE INDEX approvals_pending ON approvals(thread_id) WHERE status = 'pending';
  CREATE INDEX approvals_by_thread ON approvals(thread_id);
  CREATE INDEX approvals_unconsumed ON approvals(thread_id) WHERE status = 'decided' AND consumed_at IS NULL;
  CREATE TABLE executions (
    id TEXT PRIMARY KEY, call_key TEXT NOT NULL, thread_id TEXT NOT NULL, turn_id TEXT NOT NULL, item_id TEXT NOT NULL, tool TEXT NOT NULL,
    state TEXT NOT NULL, what TEXT NOT NULL, args TEXT NOT NULL, pid INTEGER, process_started TEXT, log_path TEXT,
    started_at INTEGER NOT NULL, finished_at INTEGER, outcome TEXT, result TEXT, receipt TEXT
  ) STRICT;
  CREATE INDEX executions_by_call ON executions(call_key);
  CREATE INDEX executions_by_thread ON executions(thread_id);
  CREATE INDEX executions_open ON executions(state) WHERE state = 'started';
  CREATE TABLE ledger (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, thread_id TEXT NOT NULL, thread_title TEXT NOT NULL,
    agent_path TEXT NOT NULL, tool TEXT NOT NULL, original_args TEXT NOT NULL, final_args TEXT, cwd TEXT NOT NULL,
    verdict TEXT NOT NULL, decision TEXT NOT NULL, decided_by TEXT NOT NULL, approval_id TEXT, execution_id TEXT UNIQUE
  ) STRICT;
  CREATE INDEX ledger_by_thread ON ledger(thread_id, id);
  CREATE TRIGGER ledger_is_append_only_update BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  CREATE TRIGGER ledger_is_append_only_delete BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  CREATE TABLE workspaces (path TEXT PRIMARY KEY, trusted INTEGER NOT NULL DEFAULT 0, last_used_at INTEGER NOT NULL) STRICT;
  `,
  // Tokens per turn and model; what the log holds already is added up once, without what a fork was copied with.
  `
  CREATE TABLE token_use (
    thread_id TEXT NOT NULL, turn_id TEXT NOT NULL, model TEXT NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL, PRIMARY KEY (thread_id, turn_id, model)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO token_use
    SELECT e.thread_id, e.data ->> '$.turnId', e.data -> '$.model', CAST(total(e.data ->> '$.usage.inputTokens') AS INTEGER),
      CAST(total(e.data ->> '$.usage.outputTokens') AS INTEGER), 0, 0
    FROM events e JOIN threads t ON t.id = e.thread_id AND e.at >= t.created_at
    WHERE e.data ->> '$.type' = 'message.finished' AND e.data ->> '$.usage.inputTokens' IS NOT NULL
      AND e.data ->> '$.model' IS NOT NULL
    GROUP BY 1, 2, 3;
  `,
  // Where an imported line comes from, as JSON; NULL for what happened here.
  "ALTER TABLE ledger ADD COLUMN imported TEXT",
  // What a trusted folder said when it was trusted. Nothing is known of those trusted before, so they hold back at first.
  "CREATE TABLE trusted_texts (path TEXT NOT NULL, file TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (path, file)) STRICT, WITHOUT ROWID",
  // How far each thread's plan is and how its last answer begins; and the tokens of each day, which outlive their threads.
  `
  CREATE TABLE glances (
    thread_id TEXT PRIMARY KEY, plan_done INTEGER, plan_steps INTEGER, said TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE day_use (
    day TEXT NOT NULL, model TEXT NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL, PRIMARY KEY (day, model)
  ) STRICT, WITHOUT ROWID;
  `,
  // Who asked: the gate about a call that it holds, or a graph that knows no gate and is answered at its interrupt.
  `
  ALTER TABLE approvals ADD COLUMN asked_by TEXT NOT NULL DEFAULT 'gate';
  UPDATE approvals SET asked_by = 'foreign' WHERE item_id = 'interrupt:' || interrupt_id;
  `,
  // What each thread's agent runs on.
  "ALTER TABLE threads ADD COLUMN source TEXT NOT NULL DEFAULT 'deep-agent'",
  // What was on the screen when a person decided, as JSON; NULL where nobody looked, or nobody knows.
  `
  ALTER TABLE approvals ADD COLUMN seen TEXT;
  ALTER TABLE ledger ADD COLUMN seen TEXT;
  `,
  // What the agent wrote before the call, as JSON; NULL where it wrote nothing.
  "ALTER TABLE approvals ADD COLUMN said TEXT",
  // What is half written in each thread, as JSON.
  "CREATE TABLE drafts (thread_id TEXT PRIMARY KEY, draft TEXT NOT NULL) STRICT, WITHOUT ROWID",
  // Rules that a person does not want to be offered any more.
  "CREATE TABLE declined_offers (workspace TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (workspace, text)) STRICT, WITHOUT ROWID",
  // How far a command may reach; NULL for what is none, and from before commands were confined.
  `
  ALTER TABLE approvals ADD COLUMN width TEXT;
  ALTER TABLE executions ADD COLUMN width TEXT;
  ALTER TABLE ledger ADD COLUMN width TEXT;
  `,
  // Which agent and model a turn was sent to; NULL for those from before, which go by their thread.
  `
  ALTER TABLE turns ADD COLUMN agent_id TEXT;
  ALTER TABLE turns ADD COLUMN model TEXT;
  `,
  // Since when each of the person's rules is there.
  "CREATE TABLE rule_sightings (rule_id TEXT PRIMARY KEY, first_seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID",
  // What each step of a thread did to files, and the ways back that were gone.
  `
  CREATE TABLE change_steps (
    id INTEGER PRIMARY KEY AUTOINCREMENT, thread_id TEXT NOT NULL, turn_id TEXT NOT NULL, execution_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL, state TEXT NOT NULL, taken_back TEXT
  ) STRICT;
  CREATE INDEX change_steps_by_thread ON change_steps(thread_id, id);
  CREATE TABLE change_step_files (
    step INTEGER NOT NULL REFERENCES change_steps(id), path TEXT NOT NULL, before_hash TEXT, before_mode INTEGER,
    kept INTEGER NOT NULL, settled INTEGER NOT NULL, after_hash TEXT, after_mode INTEGER, mark TEXT, fixed TEXT,
    PRIMARY KEY (step, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX change_step_files_by_content ON change_step_files(before_hash) WHERE kept = 1;
  CREATE TABLE take_backs (
    id TEXT PRIMARY KEY, thread_id TEXT NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, what TEXT NOT NULL
  ) STRICT;
  CREATE INDEX take_backs_by_thread ON take_backs(thread_id, at);
  CREATE INDEX take_backs_open ON take_backs(state) WHERE state IN ('forth', 'back');
  `,
  // Which turns of a conversation were taken back, and which contents ways back need.
  `
  ALTER TABLE turns ADD COLUMN taken_back TEXT;
  CREATE TABLE take_back_contents (
    hash TEXT NOT NULL, take_back TEXT NOT NULL REFERENCES take_backs(id), PRIMARY KEY (hash, take_back)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX take_back_contents_by_take_back ON take_back_contents(take_back);
  INSERT OR IGNORE INTO take_back_contents SELECT version.value ->> '$.hash', t.id
    FROM take_backs AS t, json_each(t.what, '$.files') AS file, json_each(file.value) AS version
    WHERE version.key IN ('from', 'to') AND version.value IS NOT NULL AND version.type = 'object';
  `,
  // Worktrees made for threads, from before they are made until they are gone, and the folders where threads get one.
  `
  CREATE TABLE worktrees (
    id TEXT PRIMARY KEY, thread_id TEXT NOT NULL, state TEXT NOT NULL, origin TEXT NOT NULL, common TEXT NOT NULL DEFAULT '',
    git_dir TEXT NOT NULL DEFAULT '', path TEXT NOT NULL DEFAULT '', branch TEXT NOT NULL DEFAULT '', base TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX worktrees_by_thread ON worktrees(thread_id);
  CREATE INDEX worktrees_by_path ON worktrees(path);
  CREATE TABLE worktree_choices (folder TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  `,
  // Who wrote a path, which of those that two threads wrote was told, and after which steps each worktree began.
  `
  CREATE INDEX change_step_files_by_path ON change_step_files(path);
  ALTER TABLE worktrees ADD COLUMN first_step INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE told_overlaps (
    first TEXT NOT NULL, second TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY (first, second, path)
  ) STRICT, WITHOUT ROWID;
  `,
  // Who wrote what each call gave back, with its text where the log keeps less; what came with a file nobody here wrote.
  `
  CREATE TABLE readings (
    thread_id TEXT NOT NULL, item_id TEXT NOT NULL, source TEXT NOT NULL, text TEXT, is_cut INTEGER NOT NULL,
    PRIMARY KEY (thread_id, item_id)
  ) STRICT;
  INSERT INTO readings (thread_id, item_id, source, is_cut)
    SELECT i.thread_id, i.item_id, 'outside', i.item_id LIKE 'imported:%'
    FROM items i WHERE EXISTS (SELECT 1 FROM items n WHERE n.thread_id = i.thread_id AND n.item_id LIKE 'imported:%' AND n.position >= i.position);
  ALTER TABLE approvals ADD COLUMN origins TEXT;
  `,
  // Which remote server a card comes from, what an answer to it is bound to, and whether one can be delivered.
  "ALTER TABLE approvals ADD COLUMN server TEXT;",
  // Which thread of its server a thread stands for, whom a new one is for, and what of its newest message went there.
  `
  CREATE TABLE server_threads (
    thread_id TEXT PRIMARY KEY, thread TEXT NOT NULL, assistant TEXT, sent_turn TEXT, run TEXT
  ) STRICT, WITHOUT ROWID;
  `,
  shortRows,
  // Whether a line is about a second run that reaches further: its approval, which says so too, goes with its thread.
  `
  ALTER TABLE ledger ADD COLUMN second_run INTEGER NOT NULL DEFAULT 0;
  DROP TRIGGER ledger_is_append_only_update;
  UPDATE ledger SET second_run = 1 WHERE approval_id IN (SELECT id FROM approvals WHERE kind = 'escalation');
  CREATE TRIGGER ledger_is_append_only_update BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  `,
  // What was decided alike, and what was decided last, of all that was ever asked.
  `
  CREATE INDEX approvals_by_shape ON approvals(shape, cwd) WHERE kind = 'tool' AND status = 'decided' AND shape <> '';
  CREATE INDEX approvals_by_decision ON approvals(decided_at) WHERE status = 'decided';
  `,
];
