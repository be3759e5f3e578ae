import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ExecutionId, TurnId } from "../../shared/ids.ts";
import { utf8Bytes } from "../../shared/wire/json-bytes.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { openInMemory, threadId } from "../threads/testing/add-thread.ts";
import { createChangedByRun } from "./changed-by-run.ts";
import { createStepJournal } from "./step-journal.ts";

const folder = "/work/shop";
const executionId = "e1" as ExecutionId;

function open() {
  const database = openInMemory();
  const journal = createStepJournal(database);
  const begin = (id: ExecutionId) =>
    journal.begin({ threadId, turnId: "t" as TurnId, executionId: id }, "command");
  const found = (step: number, paths: readonly string[], whole = true) => {
    const files = paths.map((path) => ({
      path,
      before: null,
      kept: true,
      after: { hash: "h", mode: 0o644 },
      mark: null,
    }));
    journal.found(step, files, whole);
  };
  return { begin, found, changedBy: createChangedByRun(database) };
}

it("names what one run changed from its folder on, and of no other run", () => {
  const { begin, found, changedBy } = open();
  found(begin("other" as ExecutionId), [join(folder, "theirs")]);
  const step = begin(executionId);
  found(step, [join(folder, "src/b.ts"), join(folder, "a.ts"), "/elsewhere/c"]);
  expect(changedBy(executionId, folder)).toEqual({
    count: 3,
    paths: ["/elsewhere/c", "a.ts", "src/b.ts"],
    whole: true,
  });
});

it("takes nothing for known before the look after the run was written down, nor what a look left out", () => {
  const { begin, found, changedBy } = open();
  expect(changedBy(executionId, folder)).toBeUndefined();
  const step = begin(executionId);
  expect(changedBy(executionId, folder)).toEqual({ count: 0, paths: [], whole: false });
  found(step, [join(folder, "a")], false);
  expect(changedBy(executionId, folder)).toEqual({ count: 1, paths: ["a"], whole: false });
});

it("counts all of them and names whole ones only, within a bound", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1, maxLength: 400, unit: "grapheme" }).filter(isName), {
        maxLength: 60,
      }),
      (names) => {
        const { begin, found, changedBy } = open();
        found(
          begin(executionId),
          names.map((name) => join(folder, name)),
        );
        const { count, paths } = changedBy(executionId, folder)!;
        expect(count).toBe(names.length);
        for (const path of paths) expect(names).toContain(path);
        expect(new Set(paths).size).toBe(paths.length);
        expect(paths.length).toBeLessThanOrEqual(8);
        expect(paths.reduce((sum, path) => sum + utf8Bytes(path), 0)).toBeLessThanOrEqual(1_000);
        const isRoomy = names.length <= 8 && names.reduce((sum, name) => sum + utf8Bytes(name), 0) <= 1_000;
        if (isRoomy) expect(paths.length).toBe(names.length);
      },
    ),
    // What is drawn is seldom long enough to meet the bound; a new database for each smaller case takes long.
    {
      numRuns: runsOf(25),
      endOnFailure: true,
      examples: [[["a", "b", "c"].map((name) => name.repeat(400))]],
    },
  );
});

function isName(name: string): boolean {
  return !/[/\0\\]/.test(name) && name !== "." && name !== "..";
}
