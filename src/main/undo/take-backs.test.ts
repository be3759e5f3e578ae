/** Takes files of turns back on a real disk, with a real database and real commands. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ExecutionId, ThreadId, TurnId } from "../../shared/ids.ts";
import { openChangeFile } from "../files/change-store.ts";
import { createChangeTracker } from "../files/change-tracker.ts";
import { createCommandWatch } from "../files/command-watch.ts";
import type { FileChangeRequest } from "../files/file-change.ts";
import { createOriginalBlobs } from "../files/original-blobs.ts";
import { makeWorkspace } from "../files/testing/test-workspace.ts";
import { createWorkspaceFiles } from "../files/workspace-files.ts";
import { type CommitDurably, createDurableCommits } from "../storage/durable-commit.ts";
import { openDatabase } from "../storage/open-database.ts";
import type { Conversation } from "./conversation-back.ts";
import { createStepNotes } from "./note-steps.ts";
import { createStepJournal } from "./step-journal.ts";
import { createTakeBackStore } from "./take-back-store.ts";
import { createTakeBacks } from "./take-backs.ts";

/** Files alone are taken back here. */
const noConversation: Conversation = {
  plan: async () => ({ why: "not-able" }),
  move: () => Promise.resolve(),
  settle: () => undefined,
  wentOn: () => false,
  isKept: async () => true,
};
const person = { kind: "person" } as const;

const threadId = "t1" as ThreadId;
const turn = (name: string) => name as TurnId;

async function openUndo() {
  const space = makeWorkspace();
  const { root } = space;
  mkdirSync(join(space.base, "data"));
  const { database } = openDatabase(join(space.base, "data"), () => 1);
  const durable = createDurableCommits(database);
  let synced = (): void => undefined;
  const commitDurably: CommitDurably = async (act) => {
    const result = await durable.commitDurably(act);
    synced();
    return result;
  };
  onTestFinished(async () => {
    await durable.close();
    database.close();
  });
  const blobs = createOriginalBlobs(join(space.base, "data", "originals"));
  const tracker = createChangeTracker(blobs, await openChangeFile(join(space.base, "data", "changed.jsonl")));
  const journal = createStepJournal(database);
  const store = createTakeBackStore(database);
  const notes = createStepNotes({ journal, blobs, tracker, commitDurably });
  const errors: unknown[] = [];
  const watch = createCommandWatch(tracker, join(space.base, "data"), (error) => errors.push(error));
  onTestFinished(async () => {
    await watch.close();
    expect(errors).toEqual([]);
  });
  const told: string[] = [];
  const takeBacks = createTakeBacks({
    database,
    journal,
    store,
    blobs,
    tracker,
    commitDurably,
    conversation: noConversation,
    moveRepository: () => Promise.resolve(),
    atRest: (_threadId, act) => act(),
    endCutOff: () => Promise.resolve(),
    now: () => 1,
    onDone: (_takeBack, way) => told.push(way),
  });
  const files = createWorkspaceFiles(root);
  let calls = 0;
  const origin = (turnId: TurnId) => {
    calls += 1;
    return { threadId, turnId, executionId: `e${calls}` as ExecutionId };
  };
  const placeOf = (turnId: TurnId) => ({ threadId, turnId, root });
  return {
    ...space,
    blobs,
    store,
    journal,
    tracker,
    takeBacks,
    told,
    onSynced(listener: () => void) {
      synced = listener;
    },
    placeOf,
    tool: (turnId: TurnId, change: FileChangeRequest) =>
      files.applyChange(change, () => {}, { observer: notes.ofTool(origin(turnId), root) }),
    command: (turnId: TurnId, line: string) =>
      watch.around(
        threadId,
        root,
        async () => void execFileSync("bash", ["-c", line], { cwd: root, stdio: "ignore" }),
        notes.ofCommand(origin(turnId), root),
      ),
    addTurns(...ids: string[]) {
      database
        .prepare(
          "INSERT INTO threads (id, title, workspace, agent_id, model, created_at, updated_at) VALUES (?, '', ?, '', '', 1, 1)",
        )
        .run(threadId, root);
      const add = database.prepare(
        "INSERT INTO turns (id, thread_id, message_id, text, attachments, status, created_at) VALUES (?, ?, '', '', '', 'done', 1)",
      );
      for (const id of ids) add.run(id, threadId);
    },
    async takeBack(turnId: TurnId) {
      const { digest } = await takeBacks.preview(placeOf(turnId));
      return takeBacks.carryOut(placeOf(turnId), digest, "files", person);
    },
  };
}

/** Every file with its content and permissions. */
function treeOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const mode = (lstatSync(path).mode & 0o777).toString(8);
    found[path.slice(root.length + 1)] = `${mode} ${readFileSync(path).toString("base64")}`;
  }
  return found;
}

function contentOf(seen: string | undefined): string {
  return Buffer.from(seen?.split(" ")[1] ?? "", "base64").toString();
}

describe("the journal", () => {
  it("has on the disk what a tool is about to change, before it does", async () => {
    const undo = await openUndo();
    undo.put("a.txt", "one");
    const seen: string[] = [];
    undo.onSynced(() => seen.push(readFileSync(join(undo.root, "a.txt"), "utf8")));
    await undo.tool(turn("one"), { operation: "write", path: "a.txt", content: "two" });
    expect(seen).toEqual(["one"]);
  });

  it("has on the disk what is about to be taken back, before it moves", async () => {
    const undo = await openUndo();
    undo.put("a.txt", "one");
    await undo.tool(turn("one"), { operation: "write", path: "a.txt", content: "two" });
    const seen: unknown[] = [];
    undo.onSynced(() =>
      seen.push([readFileSync(join(undo.root, "a.txt"), "utf8"), undo.store.underway().length]),
    );
    await undo.takeBack(turn("one"));
    expect(seen).toEqual([
      ["two", 1],
      ["one", 0],
    ]);
  });
});

describe("the files of a turn", () => {
  it("come back as they were before it, whatever tools and commands did, and go forth again", async () => {
    const undo = await openUndo();
    undo.put("kept.txt", "as it was");
    undo.put("run.sh", "echo 1");
    undo.put("deep/in/here.txt", "gone soon");
    undo.put("picture.bin", Buffer.from([0, 1, 2, 255]));
    const before = treeOf(undo.root);
    await undo.tool(turn("one"), { operation: "write", path: "kept.txt", content: "by a tool" });
    await undo.tool(turn("one"), { operation: "write", path: "new/made.txt", content: "made" });
    await undo.tool(turn("one"), { operation: "move", path: "run.sh", to: "go.sh" });
    const between = treeOf(undo.root);
    await undo.command(
      turn("two"),
      "rm -r deep; chmod 755 go.sh; echo x >> kept.txt; printf '\\0new' > picture.bin",
    );
    const after = treeOf(undo.root);

    const second = await undo.takeBack(turn("two"));
    expect(treeOf(undo.root)).toEqual(between);
    await undo.takeBacks.reverse(threadId, second.id, person);
    expect(treeOf(undo.root)).toEqual(after);
    const first = await undo.takeBack(turn("one"));
    expect(treeOf(undo.root)).toEqual(before);
    expect(await undo.tracker.list(threadId)).toEqual([]);
    await undo.takeBacks.reverse(threadId, first.id, person);
    expect(treeOf(undo.root)).toEqual(after);
    expect(undo.told).toEqual(["forth", "back", "forth", "back"]);
  });

  it("stay where a person changed them since, and the preview says so", async () => {
    const undo = await openUndo();
    undo.put("a.txt", "1");
    undo.put("b.txt", "1");
    await undo.tool(turn("one"), { operation: "write", path: "a.txt", content: "2" });
    await undo.tool(turn("one"), { operation: "write", path: "b.txt", content: "2" });
    undo.put("b.txt", "a person's own");
    const preview = await undo.takeBacks.preview(undo.placeOf(turn("one")));
    expect(preview.back.map(({ path }) => path)).toEqual([join(undo.root, "a.txt")]);
    expect(preview.stays).toEqual([{ path: join(undo.root, "b.txt"), why: "changed-since" }]);
    await undo.takeBacks.carryOut(undo.placeOf(turn("one")), preview.digest, "files", person);
    expect(readFileSync(join(undo.root, "a.txt"), "utf8")).toBe("1");
    expect(readFileSync(join(undo.root, "b.txt"), "utf8")).toBe("a person's own");
  });

  it("do not move when anything is not as it was shown", async () => {
    const undo = await openUndo();
    undo.put("a.txt", "1");
    await undo.tool(turn("one"), { operation: "write", path: "a.txt", content: "2" });
    await undo.tool(turn("one"), { operation: "write", path: "b.txt", content: "2" });
    const { digest } = await undo.takeBacks.preview(undo.placeOf(turn("one")));
    undo.put("b.txt", "a person's own");
    await expect(undo.takeBacks.carryOut(undo.placeOf(turn("one")), digest, "files", person)).rejects.toThrow(
      "when this was shown",
    );
    expect(readFileSync(join(undo.root, "a.txt"), "utf8")).toBe("2");
    expect(undo.store.underway()).toEqual([]);
  });

  it("do not move forth again over what a person changed since", async () => {
    const undo = await openUndo();
    undo.put("a.txt", "1");
    undo.put("b.txt", "1");
    await undo.tool(turn("one"), { operation: "write", path: "a.txt", content: "2" });
    await undo.tool(turn("one"), { operation: "write", path: "b.txt", content: "2" });
    const { id } = await undo.takeBack(turn("one"));
    undo.put("b.txt", "a person's own");
    await expect(undo.takeBacks.reverse(threadId, id, person)).rejects.toThrow();
    expect(readFileSync(join(undo.root, "a.txt"), "utf8")).toBe("1");
    expect(readFileSync(join(undo.root, "b.txt"), "utf8")).toBe("a person's own");
    expect(undo.store.last(threadId)?.id).toBe(id);
  });

  it("say that not all is known of a command that nobody looked after", async () => {
    const undo = await openUndo();
    const origin = { threadId, turnId: turn("one"), executionId: "cut" as ExecutionId };
    undo.journal.begin(origin, "command");
    const { partly } = await undo.takeBacks.preview(undo.placeOf(turn("one")));
    expect(partly).toEqual([{ executionId: "cut", how: "open" }]);
  });

  it("come back from a turn on that changed nothing itself", async () => {
    const undo = await openUndo();
    undo.put("kept.txt", "as it was");
    undo.addTurns("quiet", "busy");
    await undo.tool(turn("busy"), { operation: "write", path: "kept.txt", content: "by a tool" });
    await undo.takeBack(turn("quiet"));
    expect(readFileSync(join(undo.root, "kept.txt"), "utf8")).toBe("as it was");
  });

  it("come back past a change that failed and was tried again", async () => {
    const undo = await openUndo();
    undo.put("kept.txt", "as it was");
    const before = { hash: (await undo.blobs.put(Buffer.from("as it was"))) as string, mode: 0o644 };
    const path = join(undo.root, "kept.txt");
    const failed = { threadId, turnId: turn("one"), executionId: "failed" as ExecutionId };
    undo.journal.before(undo.journal.begin(failed, "tool"), { path, before, kept: true });
    await undo.tool(turn("one"), { operation: "write", path: "kept.txt", content: "by a tool" });
    await undo.takeBack(turn("one"));
    expect(readFileSync(path, "utf8")).toBe("as it was");
  });

  it("leave nothing behind of a thread that is deleted", async () => {
    const undo = await openUndo();
    undo.put("a.txt", "first");
    await undo.tool(turn("one"), { operation: "write", path: "a.txt", content: "second" });
    await undo.takeBack(turn("one"));
    await undo.tracker.forget(threadId);
    await undo.takeBacks.forget(threadId);
    const left = readdirSync(join(undo.base, "data", "originals"), { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
  });
});

describe("an end in the middle", () => {
  const names = ["a.txt", "b.txt", "c.txt"];

  /** As a host leaves it that dies after so many files of a way back. */
  async function cutAfter(count: number) {
    const undo = await openUndo();
    undo.put("a.txt", "1");
    undo.put("b.txt", "1");
    for (const path of names) await undo.tool(turn("one"), { operation: "write", path, content: "2" });
    const { back: files } = await undo.takeBacks.preview(undo.placeOf(turn("one")));
    for (const { from } of files) if (from) await undo.blobs.put(Buffer.from("2"));
    const what = { root: undo.root, turnId: turn("one"), firstStep: 1, lastStep: 3, files };
    undo.store.add({ id: "cut", threadId, at: 1, state: "forth", what });
    for (const { path, to } of files.slice(0, count)) to ? writeFileSync(path, "1") : rmSync(path);
    return undo;
  }

  it.each([0, 1, 2, 3])("after %i files is finished at the next start", async (count) => {
    const undo = await cutAfter(count);
    expect(await undo.takeBacks.recover()).toMatchObject([{ end: "finished" }]);
    expect(names.map((name) => existsSync(join(undo.root, name)))).toEqual([true, true, false]);
    expect(readFileSync(join(undo.root, "b.txt"), "utf8")).toBe("1");
    await undo.takeBacks.reverse(threadId, "cut", person);
    expect(names.map((name) => readFileSync(join(undo.root, name), "utf8"))).toEqual(["2", "2", "2"]);
  });

  it("is undone where a person changed a file since, which stays theirs", async () => {
    const undo = await cutAfter(1);
    undo.put("c.txt", "a person's own");
    expect(await undo.takeBacks.recover()).toMatchObject([
      { end: "undone", left: [join(undo.root, "c.txt")] },
    ]);
    expect(names.map((name) => readFileSync(join(undo.root, name), "utf8"))).toEqual([
      "2",
      "2",
      "a person's own",
    ]);
    expect(undo.store.underway()).toEqual([]);
  });
});

describe("whatever happened", () => {
  const name = fc.constantFrom("a", "b", "d/a", "d/e/b", "é ü.txt");
  const text = fc.constantFrom("one", "two\n", "\0binary");
  const by = <T extends string>(who: T) => fc.constant(who);
  const line = fc
    .tuple(fc.constantFrom("rm -f", "chmod 711", "mv", "print", "rm -rf d;"), name, name)
    .map(([verb, one, other]) => {
      if (verb === "mv") return `mkdir -p "$(dirname '${other}')" && mv '${one}' '${other}'`;
      if (verb === "print") return `mkdir -p "$(dirname '${one}')" && printf '\\0${other}' > '${one}'`;
      return verb.endsWith(";") ? verb : `${verb} '${one}'`;
    });
  const step = fc.oneof(
    fc.record({ by: by("write"), name, text }),
    fc.record({ by: by("delete"), name }),
    fc.record({ by: by("command"), line }),
    fc.record({ by: by("person"), name, text }),
  );

  it("each file is as before, or was named beforehand; nothing of a person's is lost", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const undo = await openUndo();
        for (const path of ["a", "d/e/b", "é ü.txt"]) undo.put(path, `original of ${path}`);
        chmodSync(join(undo.root, "a"), 0o755);
        const before = treeOf(undo.root);
        const own = new Map<string, string>();
        for (const one of steps) {
          if (one.by === "person") {
            own.set(one.name, `own ${one.text}`);
            // Where a folder has the name, a person cannot write there either.
            if (!existsSync(join(undo.root, one.name)) || lstatSync(join(undo.root, one.name)).isFile())
              undo.put(one.name, `own ${one.text}`);
            continue;
          }
          const act =
            one.by === "command"
              ? undo.command(turn("x"), one.line)
              : undo.tool(
                  turn("x"),
                  one.by === "write"
                    ? { operation: "write", path: one.name, content: one.text }
                    : { operation: "delete", path: one.name },
                );
          // What cannot be done changes nothing.
          await act.catch(() => {});
        }
        const after = treeOf(undo.root);
        const { back, stays, digest } = await undo.takeBacks.preview(undo.placeOf(turn("x")));
        if (back.length > 0) await undo.takeBacks.carryOut(undo.placeOf(turn("x")), digest, "files", person);
        const now = treeOf(undo.root);
        const named = new Set(stays.map(({ path }) => path.slice(undo.root.length + 1)));
        for (const path of new Set([...Object.keys(before), ...Object.keys(now)])) {
          const isOwn = own.has(path) && contentOf(after[path]) === own.get(path);
          if (isOwn) expect([path, contentOf(now[path])]).toEqual([path, own.get(path)]);
          if (named.has(path)) expect([path, now[path]]).toEqual([path, after[path]]);
          else if (now[path] !== before[path])
            expect([path, contentOf(now[path])]).toEqual([path, own.get(path)]);
        }
        const last = undo.store.last(threadId);
        if (last) await undo.takeBacks.reverse(threadId, last.id, person);
        expect(treeOf(undo.root)).toEqual(after);
      }),
      { numRuns: 12 },
    );
  });
});
