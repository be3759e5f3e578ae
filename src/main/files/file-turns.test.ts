/** Changes of one file at once, by any of its names: what is in the file in the end is what some order of them gives. */

import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
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

/** Turns at places told by hand; each goes on until it is let go, and its end is noted. */
function takeTurns() {
  const ended: string[] = [];
  const take = (name: string, locate: () => string, until = Promise.resolve()) => {
    const begun = gate();
    const over = inFileTurn(
      async () => [{ path: locate(), relativePath: name, inside: true, asked: name }],
      async () => {
        begun.open();
        await until;
        ended.push(name);
      },
    );
    return { begun: begun.opened, over };
  };
  return { ended, take };
}

/** Comes back after every look that a turn asked for before would have had by then. */
async function lookOften(path: string): Promise<void> {
  for (let look = 0; look < 10; look++) await lstat(path).catch(() => {});
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
      { numRuns: runsOf(60) },
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

  it.each([
    ["by another of its names on the disk", "inner/file", "hard"],
    ["by its name in other letters, where it is not there yet", "new", "NEW"],
    ["by its name in other code points, where it is not there yet", "caf\u00e9", "cafe\u0301"],
  ])("wait for one of the same file %s", async (_, one, other) => {
    const { root, path } = setUp("one");
    linkSync(path, join(root, "hard"));
    const { ended, take } = takeTurns();
    const over = gate();
    const first = take("first", () => join(root, one), over.opened);
    await first.begun;
    const second = take("second", () => join(root, other));
    await lookOften(path);
    over.open();
    await Promise.all([first.over, second.over]);
    expect(ended).toEqual(["first", "second"]);
  });

  it.each(["link", "name"])("wait for one of the file that their %s leads to by then", async (kind) => {
    const { path, put } = setUp("one");
    const second = put("second", "two");
    const { ended, take } = takeTurns();
    const [firstOver, secondOver] = [gate(), gate()];
    const first = take("first", () => path, firstOver.opened);
    const other = take("second", () => second, secondOver.opened);
    await Promise.all([first.begun, other.begun]);
    let leadsTo = path;
    const followed = take("followed", () => leadsTo);
    await lookOften(path);
    if (kind === "link") leadsTo = second;
    else {
      rmSync(path);
      linkSync(second, path);
    }
    firstOver.open();
    await first.over;
    await lookOften(path);
    secondOver.open();
    await Promise.all([other.over, followed.over]);
    expect(ended).toEqual(["first", "second", "followed"]);
  });

  it("wait for one of a place where nothing is yet, when they lead there by then", async () => {
    const { root, path } = setUp("one");
    const { ended, take } = takeTurns();
    const over = gate();
    const first = take("first", () => join(root, "new"), over.opened);
    await first.begun;
    let looks = 0;
    const followed = take("followed", () => (looks++ === 0 ? path : join(root, "new")));
    await lookOften(path);
    over.open();
    await Promise.all([first.over, followed.over]);
    expect(ended).toEqual(["first", "followed"]);
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
