/** Moves among edits, writes and deletions of two threads at once, at random: nothing is lost and nothing doubled. */

import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import type { FileChangePlan } from "./file-change.ts";
import { FileError } from "./file-error.ts";
import { listed, makeWorkspace } from "./testing/test-workspace.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

const names = ["a", "b", "in/c", "in/d"];
const name = fc.constantFrom(...names);
const change = fc.oneof(
  fc.record({ kind: fc.constant("move" as const), path: name, to: name }),
  fc.record({ kind: fc.constant("edit" as const), path: name }),
  fc.record({ kind: fc.constant("write" as const), path: name }),
  fc.record({ kind: fc.constant("delete" as const), path: name }),
);

it("of two threads among edits, writes and deletions at once loses and doubles nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 2 }),
      async (threads) => {
        const { root, put } = makeWorkspace();
        put("in/c", "first end");
        const outer = createWorkspaceFiles(root);
        const inner = createWorkspaceFiles(join(root, "in"));
        const there = new Set(["first"]);
        let made = 0;
        const tellGone = ({ before }: FileChangePlan) => {
          for (const word of before?.split(" ") ?? []) there.delete(word);
        };
        const make = async ({ kind, path, ...rest }: (typeof threads)[number][number], thread: number) => {
          made += 1;
          const word = `word${made}`;
          // The second thread sees the inner folder from its own workspace, where it can.
          const within = thread === 1 && path.startsWith("in/") && kind !== "move";
          const files = within ? inner : outer;
          const shown = within ? path.slice(3) : path;
          if (kind === "move") await files.move(shown, "to" in rest ? rest.to : "");
          if (kind === "delete") tellGone(await files.delete(shown));
          if (kind === "write") tellGone(await files.write(shown, `${word} end`));
          if (kind === "edit") await files.edit(shown, { oldString: "end", newString: `${word} end` });
          if (kind === "write" || kind === "edit") there.add(word);
        };
        await Promise.all(
          threads.map(async (changes, thread) => {
            for (const one of changes)
              await make(one, thread).catch((error) => {
                if (!(error instanceof FileError)) throw error;
              });
          }),
        );
        const left = listed(root).filter((path) => lstatSync(join(root, path)).isFile());
        expect(left.filter((path) => !names.includes(path))).toEqual([]);
        const words = left.flatMap((path) => readFileSync(join(root, path), "utf8").split(" "));
        expect(words.filter((word) => word !== "end").sort()).toEqual([...there].sort());
      },
    ),
    { numRuns: runsOf(60) },
  );
});
