/** Takes files of turns back on a real disk, with a real database and real commands. */

import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExecutionId } from "../../shared/ids.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { hashBytes } from "../files/stored-file.ts";
import { contentOf, openUndo, person, threadId, treeOf, turn } from "./testing/test-undo.ts";

describe("the journal", () => {
  it("has on the disk what a tool is about to change, before it does", async () => {
    const undo = await openUndo();
    undo.put("a.txt", "one");
    const seen: string[] = [];
    undo.onSynced(() => seen.push(readFileSync(join(undo.root, "a.txt"), "utf8")));
    await undo.tool(turn("one"), { operation: "write", path: "a.txt", content: "two" });
    expect(seen).toEqual(["one"]);
  });

  it("keeps what a step needs, though somebody else gave up the same content until it was written down", async () => {
    const undo = await openUndo();
    for (const name of ["a.txt", "b.txt"]) undo.put(name, "one");
    const giveUp = () => rmSync(join(undo.base, "data", "originals"), { recursive: true, force: true });
    undo.onSynced(giveUp);
    await undo.tool(turn("one"), { operation: "write", path: "a.txt", content: "two" });
    undo.onSynced(() => undefined);
    const { found } = undo.journal;
    undo.journal.found = (...args) => {
      giveUp();
      return found(...args);
    };
    await undo.command(turn("two"), "echo two > b.txt");
    await undo.takeBack(turn("two"));
    expect(readFileSync(join(undo.root, "b.txt"), "utf8")).toBe("one");
    await undo.takeBack(turn("one"));
    expect(readFileSync(join(undo.root, "a.txt"), "utf8")).toBe("one");
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
  async function withTwoChanges() {
    const undo = await openUndo();
    undo.put("a.txt", "1");
    undo.put("b.txt", "1");
    await undo.tool(turn("one"), { operation: "write", path: "a.txt", content: "2" });
    await undo.tool(turn("one"), { operation: "write", path: "b.txt", content: "2" });
    return undo;
  }

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
    const undo = await withTwoChanges();
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

  it("come back but for those whose originals were lost or damaged, which are named once that was found", async () => {
    const undo = await openUndo();
    const names = ["damaged.txt", "kept.txt", "lost.txt"];
    for (const name of names) undo.put(name, `${name} before`);
    await undo.command(turn("one"), names.map((name) => `echo after > ${name}`).join("\n"));
    const originalOf = (name: string) => {
      const hash = hashBytes(Buffer.from(`${name} before`));
      return join(undo.base, "data", "originals", hash.slice(0, 2), hash);
    };
    rmSync(originalOf("lost.txt"));
    writeFileSync(originalOf("damaged.txt"), "something else");
    await expect(undo.takeBack(turn("one"))).rejects.toThrow("is not kept any more");
    expect(readFileSync(join(undo.root, "kept.txt"), "utf8")).toBe("after\n");
    const { stays } = await undo.takeBacks.preview(undo.placeOf(turn("one")));
    expect(stays.map(({ path, why }) => [path.slice(undo.root.length + 1), why])).toEqual([
      ["damaged.txt", "not-kept"],
      ["lost.txt", "not-kept"],
    ]);
    await undo.takeBack(turn("one"));
    expect(names.map((name) => readFileSync(join(undo.root, name), "utf8"))).toEqual([
      "after\n",
      "kept.txt before",
      "after\n",
    ]);
  });

  it("do not move forth again over what a person changed since", async () => {
    const undo = await withTwoChanges();
    const { id } = await undo.takeBack(turn("one"));
    undo.put("b.txt", "a person's own");
    await expect(undo.takeBacks.reverse(threadId, id, person)).rejects.toThrow();
    expect(readFileSync(join(undo.root, "a.txt"), "utf8")).toBe("1");
    expect(readFileSync(join(undo.root, "b.txt"), "utf8")).toBe("a person's own");
    expect(undo.store.last(threadId)?.id).toBe(id);
  });

  it("come back around links, which stay and are named: made, gone, turned elsewhere, replaced and in the place of a file", async () => {
    const undo = await openUndo();
    for (const name of ["a", "b", "c"]) undo.put(name, name);
    for (const name of ["gone", "turned", "same", "replaced"]) symlinkSync("a", join(undo.root, name));
    await undo.command(
      turn("one"),
      "rm gone same replaced b; ln -sfn b turned; ln -s a same; echo x > replaced; ln -s a new; ln -s a brief; ln -s a b; ln -sfn a c",
    );
    await undo.command(turn("one"), "rm brief c; echo mine > c");
    const { back, stays } = await undo.takeBacks.preview(undo.placeOf(turn("one")));
    const named = (path: string) => path.slice(undo.root.length + 1);
    expect(stays.map(({ path, why }) => `${named(path)}: ${why}`)).toEqual([
      ...["b: link", "gone: link", "new: link", "replaced: link", "turned: link"],
    ]);
    expect(back.map(({ path }) => named(path))).toEqual(["c"]);
    const listed = (await undo.tracker.list(threadId)).map(({ path }) => path);
    expect(listed.filter((path) => ["gone", "turned", "same", "new", "brief"].includes(path))).toEqual([]);
    await undo.takeBack(turn("one"));
    expect(readFileSync(join(undo.root, "c"), "utf8")).toBe("c");
  });

  it("say that not all is known of a command that nobody looked after", async () => {
    const undo = await openUndo();
    const origin = { threadId, turnId: turn("one"), executionId: "cut" as ExecutionId };
    const before = await undo.takeBacks.preview(undo.placeOf(turn("one")));
    undo.journal.begin(origin, "command");
    const { partly, digest } = await undo.takeBacks.preview(undo.placeOf(turn("one")));
    expect(partly).toEqual([{ executionId: "cut", how: "open" }]);
    // Who was shown the list without it agreed to something else.
    expect(digest).not.toBe(before.digest);
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
      { numRuns: runsOf(12) },
    );
  });
});
