/** How much a sandbox could spare a person on an ordinary day, by the policy's word alone: nothing runs here. */
import { expect, it } from "vitest";
import { isBoundedBySandbox } from "../../src/main/policy/bounded/sandbox-effect.ts";
import { judgeCommand } from "../../src/main/policy/judge-command.ts";
import { makeContext } from "../../src/main/policy/testing/make-context.ts";
import { readEverydayCommands } from "./read-corpora.ts";

it("bounds all but eight of the everyday commands without one rule, the same that docs/policy.md tells of", () => {
  const context = makeContext({ rules: [] });
  const left = readEverydayCommands().commands.filter(
    (command) => !isBoundedBySandbox(judgeCommand(command, context)),
  );
  const network = ["npm install", "npm ci", "npm outdated", "pnpm install", "docker ps"];
  const loop = "for f in src/*.ts; do node --check $f; done";
  expect(left.toSorted()).toEqual([...network, "git checkout -b lines", "git stash", loop].toSorted());
});
