/** The page has one word for each thing: a person approves, rejects, edits or answers, and what is left to them waits. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Said in other ways before; a rule "denies" and "allows", which are the words of its file. */
const others = /\b(?:let (?:it|them|all|this)? ?(?:run|through)|pending|first time|your words stand)\b/i;

it("no sentence says in another word what has its own", () => {
  const renderer = join(import.meta.dirname, "../../src/renderer");
  const files = globSync("**/*strings.ts", { cwd: renderer });
  expect(files.length).toBeGreaterThan(10);
  const said = files.flatMap((file) =>
    [...readFileSync(join(renderer, file), "utf8").matchAll(/"[^"\n]*"|`[^`\n]*`/g)].map(
      ([words]) => `${file}: ${words}`,
    ),
  );
  expect(said.filter((words) => others.test(words))).toEqual([]);
});
