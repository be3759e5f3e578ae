/** Checkpoints as the deepagents CLI's saver writes them in Python, in a real database; the bytes are written here by its rules. */
import { mkdirSync, mkdtempSync, promises, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MessagePackError, readMessagePack } from "./msgpack.ts";
import { listSessions, readSession, SessionsError } from "./sessions.ts";
import { listSessionsAside, readSessionAside } from "./sessions-thread.ts";

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
    .run(thread, id, type, checkpoint, JSON.stringify({ agent_name: "agent", updated_at: at }));

/** MessagePack of what JSON can say; a class as LangGraph's serialiser writes it. */
function pack(value: unknown): Buffer {
  if (value === null) return Buffer.from([0xc0]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === "number") return Buffer.from([0xd2, 0, 0, value >> 8, value & 0xff]);
  if (typeof value === "string") return sized(0xdb, Buffer.from(value));
  if (Array.isArray(value)) return Buffer.concat([sized(0xdd, [], value.length), ...value.map(pack)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([sized(0xdf, [], entries.length), ...entries.flat().map(pack)]);
}
function sized(tag: number, bytes: Uint8Array | number[], length = bytes.length): Buffer {
  const head = Buffer.from([tag, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, Buffer.from(bytes)]);
}
/** A model of pydantic: its module, class, members and the way back. */
function made(name: string, members: object): Buffer {
  const inner = pack(["langchain_core.messages", name, members, "model_validate_json"]);
  const head = Buffer.from([0xc9, 0, 0, 0, 0, 5]);
  head.writeUInt32BE(inner.length, 1);
  return Buffer.concat([head, inner]);
}
function stateOf(...messages: Buffer[]): Buffer {
  const list = Buffer.concat([sized(0xdd, [], messages.length), ...messages]);
  const values = Buffer.concat([sized(0xdf, [], 1), pack("messages"), list]);
  return Buffer.concat([sized(0xdf, [], 2), pack("v"), pack(4), pack("channel_values"), values]);
}

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
    put("new", "1", "msgpack", stateOf());
    put("new", "2", "msgpack", stateOf(...conversation));
    const before = readdirSync(folder).map((name) => [
      name,
      readFileSync(join(folder, name)).toString("hex"),
    ]);
    expect(await listSessions(folder)).toEqual([
      { id: "new", agent: "agent", updatedAt: "2026-01-01", title: "tidy up", waiting: 0 },
      { id: "old", agent: "agent", updatedAt: "2025-01-01", waiting: 0 },
    ]);
    expect(await readSession(folder, "new")).toEqual([
      { kind: "person", id: "h1", text: "tidy up" },
      {
        kind: "agent",
        id: "a1",
        text: "I look.",
        calls: [{ id: "c1", name: "execute", args: { command: "ls" } }],
      },
      { kind: "result", id: "t1", callId: "c1", name: "", text: "a.txt", failed: true },
    ]);
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

function nested(levels: number): Buffer {
  let inner: Buffer = Buffer.from([0xc0]);
  for (let level = 0; level < levels; level += 1) {
    const head = Buffer.from([0xc9, 0, 0, 0, 0, 5]);
    head.writeUInt32BE(inner.length + 1, 1);
    inner = Buffer.concat([head, Buffer.from([0x91]), inner]);
  }
  return inner;
}

describe("MessagePack", () => {
  it.each<[number[], unknown]>([
    [[0x05], 5],
    [[0xff], -1],
    [[0xcd, 0x01, 0x00], 256],
    [[0xd0, 0x80], -128],
    [[0xd3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe], -2],
    [[0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0], 1.5],
    [[0xa2, 0x61, 0x62], "ab"],
    [
      [0x92, 0xc3, 0xc0],
      [true, null],
    ],
    [[0x81, 0xa1, 0x61, 0xc4, 0x01, 0x07], { a: new Uint8Array([7]) }],
  ])("%j", (bytes, value) => {
    expect(readMessagePack(new Uint8Array(bytes))).toEqual(value);
  });

  it("has an end, few levels, and no byte without a meaning", () => {
    const deep = [...Array<number>(200).fill(0x91), 0xc0];
    for (const bytes of [[], [0xc1], [0x01, 0x02], [0xd9, 0x05, 0x61], deep])
      expect(() => readMessagePack(new Uint8Array(bytes))).toThrow(MessagePackError);
  });
});
