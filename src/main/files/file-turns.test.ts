/** Changes of one file at once, by any of its names: what is in the file in the end is what some order of them gives. */
import { linkSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FileError } from "./file-error.ts";
import { inFileTurn } from "./file-turns.ts";
import type { Place } from "./real-path.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

type Edit = { oldString: string; newString: string };

/** One file with several names, seen from two workspaces that overlap. */
function setUp(content: string) {
  const { root, put } = makeWorkspace();
  const path = put("inner/file", content);
  symlinkSync(path, join(root, "link"));
  symlinkSync(join(root, "inner"), join(root, "folder"));
  const outer = createWorkspaceFiles(root);
  const inner = createWorkspaceFiles(join(root, "inner"));
  const ways = [
    (edit: Edit) => outer.edit("inner/file", edit),
    (edit: Edit) => outer.edit("./inner/../inner/file", edit),
    (edit: Edit) => outer.edit(path, edit),
    (edit: Edit) => outer.edit("link", edit),
    (edit: Edit) => outer.edit("folder/file", edit),
    (edit: Edit) => inner.edit("file", edit),
  ];
  return { root, path, put, ways, text: () => readFileSync(path, "utf8") };
}

/** Something that one side waits for and the other lets happen. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}

function* orders<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries())
    for (const rest of orders(items.toSpliced(index, 1))) yield [item, ...rest];
}

/** What a text becomes, or `undefined` where an edit does not fit. */
function applyAll(text: string, edits: readonly Edit[]): string | undefined {
  let now = text;
  for (const { oldString, newString } of edits) {
    if (now.split(oldString).length !== 2) return undefined;
    now = now.replace(oldString, () => newString);
  }
  return now;
}

describe("changes of one file at the same time", () => {
  it("are all made when each has lines of its own, whatever the file is called", async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}.`);
    const { ways, text } = setUp(lines.join("\n"));
    const done = await Promise.all(
      lines.map((line, index) =>
        ways[index % ways.length]!({ oldString: line, newString: `LINE ${index}!` }),
      ),
    );
    expect(done.map(({ count }) => count)).toEqual(lines.map(() => 1));
    expect(text()).toBe(lines.map((_, index) => `LINE ${index}!`).join("\n"));
  });

  it("end as some order of those that were reported as made, and the others say why they were not", async () => {
    const letter = fc.constantFrom("a", "b", "c", "ab", "d");
    const edit = fc.record({ oldString: letter, newString: fc.constantFrom("c", "d", "xa", "") });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(edit, fc.nat({ max: 5 })), { minLength: 2, maxLength: 5 }),
        async (wanted) => {
          const { ways, text } = setUp("a\nb\nc");
          const outcomes = await Promise.allSettled(wanted.map(([change, way]) => ways[way]!(change)));
          const made = wanted
            .filter((_, at) => outcomes[at]!.status === "fulfilled")
            .map(([change]) => change);
          for (const outcome of outcomes)
            if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(FileError);
          const possible = [...orders(made)].map((order) => applyAll("a\nb\nc", order));
          expect(possible).toContain(text());
        },
      ),
      { numRuns: 60 },
    );
  });

  it("of two names of one file on the disk neither sees a half of the other", async () => {
    const { root, path, text } = setUp("one\ntwo");
    const other = join(root, "hard");
    linkSync(path, other);
    const files = createWorkspaceFiles(root);
    await Promise.all([
      files.edit("inner/file", { oldString: "one", newString: "1" }),
      files.edit("hard", { oldString: "two", newString: "2" }),
    ]);
    expect([text(), readFileSync(other, "utf8")]).toEqual(["1\ntwo", "one\n2"]);
  });

  it("and the deletion of its folder come one after the other", async () => {
    const { root } = setUp("one");
    const files = createWorkspaceFiles(root);
    const edits = Array.from({ length: 4 }, (_, index) => files.write(`inner/new-${index}`, "x"));
    const deletion = files.delete("inner");
    const [last, ...others] = (await Promise.allSettled([deletion, ...edits])).map(({ status }) => status);
    expect([last, ...others]).toEqual(Array(5).fill("fulfilled"));
    expect(() => readFileSync(join(root, "inner/file"))).toThrow(/ENOENT/);
  });

  it("follow a link that is turned while they wait, and change what it leads to when it is their turn", async () => {
    const { path, put } = setUp("one");
    const second = put("second", "one");
    const [held, asked, turned] = [gate(), gate(), gate()];
    const place = (of: string): Place => ({ path: of, relativePath: of, inside: true, asked: "link" });
    let leadsTo = path;
    const first = inFileTurn(
      async () => [place(path)],
      async () => {
        held.open();
        await turned.opened;
      },
    );
    await held.opened;
    const followed = inFileTurn(
      async () => {
        asked.open();
        return [place(leadsTo)];
      },
      async ([one]) => one?.path,
    );
    await asked.opened;
    leadsTo = second;
    turned.open();
    await first;
    expect(await followed).toBe(second);
  });

  it("wait for one of the same file by another of its names on the disk", async () => {
    const { root, path } = setUp("one");
    const other = join(root, "hard");
    linkSync(path, other);
    const place = (of: string): Place => ({ path: of, relativePath: of, inside: true, asked: of });
    const [held, over] = [gate(), gate()];
    const order: string[] = [];
    const inTurn = (of: string, act: () => Promise<void>) =>
      inFileTurn(
        async () => [place(of)],
        () => act().then(() => void order.push(of)),
      );
    const first = inTurn(path, async () => {
      held.open();
      await over.opened;
    });
    await held.opened;
    const second = inTurn(other, async () => {});
    // Each of these looks comes back after those that the second one would have had by then.
    for (let look = 0; look < 10; look++) await lstat(other);
    over.open();
    await Promise.all([first, second]);
    expect(order).toEqual([path, other]);
  });

  it("do not wait for changes of other files", async () => {
    const { root } = setUp("one");
    mkdirSync(join(root, "else"));
    const files = createWorkspaceFiles(root);
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = { beforeChange: () => promise, afterChange: async () => {} };
    const slow = files.edit("inner/file", { oldString: "one", newString: "1" }, { observer: held });
    await files.write("else/other", "done meanwhile");
    resolve();
    await slow;
  });
});
