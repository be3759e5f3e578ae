/** How much a sandbox could spare a person on an ordinary day, by the policy's word alone: nothing runs here. */
import { expect, it } from "vitest";
import { isBoundedBySandbox } from "../../src/main/policy/bounded/sandbox-effect.ts";
import { judgeCommand } from "../../src/main/policy/judge-command.ts";
import { makeContext } from "../../src/main/policy/testing/make-context.ts";
import { readEverydayCommands } from "./read-corpora.ts";

it("bounds all but twelve of the everyday commands without one rule, and those that need the network are among the rest", () => {
  const context = makeContext({ rules: [] });
  const left = readEverydayCommands().commands.filter(
    (command) => !isBoundedBySandbox(judgeCommand(command, context)),
  );
  expect(left.length, left.join("\n")).toBeLessThanOrEqual(12);
  expect(left).toEqual(expect.arrayContaining(["npm install", "docker ps", "git stash"]));
});
