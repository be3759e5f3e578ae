/** Checkpoints as the deepagents CLI's saver writes them in Python, in a real database; the bytes are written here by its rules. */
import {
  mkdirSync,
  mkdtempSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SessionsError } from "./database-copy.ts";
import { listSessions, readSession } from "./sessions.ts";
import { listSessionsAside, readSessionAside } from "./sessions-thread.ts";
import { made, nested, pack, sized, stateOf } from "./testing/python-checkpoints.ts";

let folder: string;
let database: Database.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-deepagents-"));
  database = new Database(join(folder, "sessions.db"));
  database.pragma("journal_mode = WAL");
  database.exec(
    "CREATE TABLE checkpoints (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id))",
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (thread: string, id: string, type: string, checkpoint: Uint8Array, at = "2026-01-01") =>
  database
    .prepare(
      "INSERT INTO checkpoints (thread_id, checkpoint_id, type, checkpoint, metadata) VALUES (?, ?, ?, ?, ?)",
    )
    .run(
      thread,
      id,
      type,
      checkpoint,
      JSON.stringify({ agent_name: "agent", updated_at: at, cwd: `/work/${id}` }),
    );

const call = { name: "execute", args: { command: "ls" }, id: "c1", type: "tool_call" };
const conversation = [
  made("HumanMessage", { content: "tidy up", type: "human", id: "h1", additional_kwargs: {} }),
  made("AIMessage", {
    content: [{ type: "text", text: "I look." }],
    type: "ai",
    id: "a1",
    tool_calls: [call],
  }),
  made("ToolMessage", { content: "a.txt", type: "tool", id: "t1", tool_call_id: "c1", status: "error" }),
  made("RemoveMessage", { type: "remove", id: "x" }),
];

describe("threads of the deepagents CLI", () => {
  it("are listed, the newest first, and read at their newest checkpoint", async () => {
    put("old", "1", "msgpack", stateOf(), "2025-01-01");
    put("new", "1", "msgpack", stateOf(), "2025-06-01");
    put("new", "2", "msgpack", stateOf(...conversation));
    const before = readdirSync(folder).map((name) => [
      name,
      readFileSync(join(folder, name)).toString("hex"),
    ]);
    expect(await listSessions(folder)).toEqual([
      { id: "new", agent: "agent", updatedAt: "2026-01-01", folder: "/work/2", title: "tidy up", waiting: 0 },
      { id: "old", agent: "agent", updatedAt: "2025-01-01", folder: "/work/1", waiting: 0 },
    ]);
    expect(await readSession(folder, "new")).toEqual({
      leftOut: 0,
      said: [
        { kind: "person", id: "h1", text: "tidy up" },
        {
          kind: "agent",
          id: "a1",
          text: "I look.",
          calls: [{ id: "c1", name: "execute", args: { command: "ls" } }],
        },
        { kind: "result", id: "t1", callId: "c1", name: "", text: "a.txt", failed: true },
      ],
    });
    // Not a byte of it was written, nor anything beside it.
    expect(
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString("hex")]),
    ).toEqual(before);
  });

  it("are listed with what they were about and what waits there, also beside one that cannot be read", async () => {
    put("broken", "1", "msgpack", Buffer.from([0xc1]), "2026-01-02");
    put("waits", "1", "msgpack", stateOf(...conversation.slice(0, 2)));
    expect((await listSessionsAside(folder)).map(({ id, title, waiting }) => [id, title, waiting])).toEqual([
      ["broken", undefined, 0],
      ["waits", "tidy up", 1],
    ]);
    await expect(readSessionAside(folder, "broken")).rejects.toThrow(SessionsError);
  });

  it("are read as they stood in one moment, whatever the CLI moves from its log meanwhile", async () => {
    put("new", "1", "msgpack", stateOf(...conversation));
    const copyFile = promises.copyFile.bind(promises);
    let hear = () => {
      hear = () => undefined;
      database.pragma("wal_checkpoint(TRUNCATE)");
    };
    vi.spyOn(promises, "copyFile").mockImplementation(async (...args) => {
      await copyFile(...args);
      hear();
    });
    expect((await listSessions(folder)).map(({ id }) => id)).toEqual(["new"]);
    hear = () => void put(`t${performance.now()}`, "1", "msgpack", stateOf());
    await expect(listSessions(folder)).rejects.toThrow("being written to all the time");
  });

  it("say of what cannot be read of them how much it is, and lose none of what was read", async () => {
    const calls = [call, { ...call, id: 7 }, "none"];
    put(
      "a",
      "1",
      "msgpack",
      stateOf(
        ...conversation.slice(0, 1),
        made("SystemMessage", { content: "obey", type: "system", id: "s1" }),
        made("HologramMessage", { content: "…", type: "hologram", id: "x1" }),
        made("HumanMessage", { content: "no id", type: "human" }),
        made("AIMessage", { content: "I look.", type: "ai", id: "a1", tool_calls: calls }),
      ),
    );
    const { said, leftOut } = await readSession(folder, "a");
    expect([said.map(({ id }) => id), leftOut]).toEqual([["h1", "a1"], 4]);
    expect(said[1]).toMatchObject({ calls: [{ id: "c1" }] });
  });

  it("come with what their tools said since the newest checkpoint, so that no call waits that was done", async () => {
    database.exec(
      "CREATE TABLE writes (thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, task_id TEXT, idx INTEGER, channel TEXT, type TEXT, value BLOB)",
    );
    const write = (checkpoint: string, channel: string, value: Uint8Array) =>
      database
        .prepare("INSERT INTO writes VALUES ('a', '', ?, 'task', 0, ?, 'msgpack', ?)")
        .run(checkpoint, channel, value);
    put("a", "1", "msgpack", stateOf());
    put("a", "2", "msgpack", stateOf(...conversation.slice(0, 2)));
    const odd = made("HologramMessage", { type: "hologram", id: "x1" });
    const result = Buffer.concat([sized(0xdd, [], 2), conversation[2]!, odd]);
    write("2", "messages", result);
    write("2", "__interrupt__", Buffer.from([0xc1]));
    write("1", "messages", Buffer.from([0xc1]));
    const { said, leftOut } = await readSession(folder, "a");
    expect([said.map(({ id }) => id), leftOut]).toEqual([["h1", "a1", "t1"], 1]);
  });

  it("whose newest state is too large are not taken over from an older one", async () => {
    put("a", "1", "msgpack", stateOf(...conversation));
    put("a", "2", "msgpack", Buffer.alloc(64_000_001));
    await expect(readSession(folder, "a")).rejects.toThrow("larger than what is read here");
  });

  it("are listed whatever is said beside them", async () => {
    const insert = database.prepare(
      "INSERT INTO checkpoints (thread_id, checkpoint_id, metadata) VALUES (?, '1', ?)",
    );
    for (const [thread, metadata] of [
      ["cut", "{"],
      ["none", null],
      ["bytes", Buffer.from('{"agent_name":"b"}')],
    ])
      insert.run(thread, metadata);
    expect((await listSessions(folder)).map(({ id, agent }) => [id, agent]).sort()).toEqual([
      ["bytes", "b"],
      ["cut", undefined],
      ["none", undefined],
    ]);
  });

  it("are read while their program holds the database for itself, and as they were before a change that broke off", async () => {
    put("new", "1", "msgpack", stateOf(...conversation));
    database.exec("BEGIN EXCLUSIVE");
    expect((await readSession(folder, "new")).said).toHaveLength(3);
    database.exec("COMMIT");
    for (let count = 0; count < 50; count += 1) put(`t${count}`, "1", "msgpack", Buffer.alloc(5_000));
    database.pragma("journal_mode = DELETE");
    database.pragma("cache_size = 1");
    database.exec("BEGIN");
    // More than the cache holds, so that it stands in the file before it is committed.
    database.exec("UPDATE checkpoints SET checkpoint = zeroblob(5000)");
    const before = readdirSync(folder);
    expect(before).toContain("sessions.db-journal");
    expect((await readSession(folder, "new")).said).toHaveLength(3);
    expect(readdirSync(folder)).toEqual(before);
    database.exec("ROLLBACK");
  });

  it("are not read off a view that has a function called", async () => {
    database.exec(
      "DROP TABLE checkpoints; CREATE VIEW checkpoints AS SELECT 'v' AS thread_id, '' AS checkpoint_ns, '1' AS checkpoint_id, '' AS type, NULL AS checkpoint, rtreedepth(x'000000010000') AS metadata",
    );
    await expect(listSessions(folder)).rejects.toThrow(SessionsError);
  });

  it("that take a gigabyte, or stand in half a file, are refused in a sentence and left as they are", async () => {
    put("new", "1", "msgpack", stateOf(...conversation));
    const copy = join(folder, "other");
    mkdirSync(copy);
    database.pragma("wal_checkpoint(TRUNCATE)");
    const whole = readFileSync(join(folder, "sessions.db"));
    writeFileSync(join(copy, "sessions.db"), whole.subarray(0, whole.length / 2));
    await expect(readSession(copy, "new")).rejects.toThrow("cannot be read as a database");
    truncateSync(join(copy, "sessions.db"), 1_000_000_000);
    await expect(listSessions(copy)).rejects.toThrow("larger than what is read here (512 MB)");
    expect(statSync(join(copy, "sessions.db")).size).toBe(1_000_000_000);
  });

  it("that say more than can be taken over at a time are refused", async () => {
    const long = made("HumanMessage", { content: "x".repeat(4_000_001), type: "human", id: "h1" });
    put("long", "1", "msgpack", stateOf(long));
    await expect(readSession(folder, "long")).rejects.toThrow("says more than is taken over");
  });

  it.each([
    ["a program of Python", "pickle", Buffer.from("cos\nsystem\n")],
    ["no messages", "msgpack", pack({ channel_values: {} })],
    ["an early end", "msgpack", stateOf(...conversation).subarray(0, -3)],
    ["too many levels", "msgpack", Buffer.concat([Buffer.alloc(5_000, 0x91), Buffer.from([0xc0])])],
    ["a list longer than its bytes", "msgpack", sized(0xdd, [], 4_000_000_000)],
    ["an object in an object, over and over", "msgpack", nested(300)],
    ["text that is no JSON", "json", Buffer.from("{")],
  ])("that hold %s are refused in a sentence", async (_what, type, bytes) => {
    put("a", "1", type, bytes);
    await expect(readSession(folder, "a")).rejects.toThrow(SessionsError);
  });

  it("are refused where there is no database, or another one", async () => {
    mkdirSync(join(folder, "empty"));
    await expect(listSessions(join(folder, "empty"))).rejects.toThrow(SessionsError);
    database.exec("DROP TABLE checkpoints; CREATE VIEW checkpoints AS SELECT 1 AS thread_id");
    await expect(readSession(folder, "a")).rejects.toThrow(SessionsError);
  });
});
