/** What may run without a look because it is confined: only where the person, the folder, the policy and the sandbox all say so. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Verdict } from "../../shared/contract/decisions.ts";
import { judgeCommand } from "../policy/judge-command.ts";
import { makeContext } from "../policy/testing/make-context.ts";
import { createUncoveredCommands, notConfined, type UncoveredParts } from "./uncovered-commands.ts";

const place = { id: undefined, workspace: "/home/ada/code/app" };
/** A sandbox is a matter of the system; here it only says that it holds. */
const holds: UncoveredParts["confining"] = {
  ready: async () => ({ usable: true }),
  widthOf: () => "workspace",
};
const all: UncoveredParts = {
  setting: () => "confined",
  confining: holds,
  isTrusted: () => true,
  uncoveredAsk: () => false,
};
const judge = (command: string) => judgeCommand(command, makeContext());
const widthOf = (verdict: Verdict, part: Partial<UncoveredParts> = {}) =>
  createUncoveredCommands({ ...all, ...part }).widthUnasked(verdict, place);

it("runs what a sandbox bounds at the width that it has, and asks about everything else", async () => {
  for (const command of ["python x.py", "make", "echo $(date)"])
    expect([command, await widthOf(judge(command))]).toEqual([command, "workspace"]);
  for (const command of [
    "rm -rf src",
    "cat .env",
    "git push",
    "npm install",
    "sudo ls",
    "rm -rf /",
    "git reset --hard",
  ])
    expect([command, await widthOf(judge(command))]).toEqual([command, undefined]);
});

it.each<[string, Partial<UncoveredParts>]>([
  ["the person did not say so", { setting: () => "ask" }],
  ["the folder is not trusted", { isTrusted: () => false }],
  ["a file of rules says that it asks", { uncoveredAsk: () => true }],
  ["there is no sandbox", { confining: { ...holds, ready: async () => ({ usable: false, why: "x" }) } }],
  ["the command would reach everything all the same", { confining: { ...holds, widthOf: () => "outside" } }],
  ["nothing is confined yet", { confining: notConfined }],
])("asks where %s", async (_, part) => {
  expect(await widthOf(judge("python x.py"), part)).toBeUndefined();
});

it("needs every one of them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        on: fc.boolean(),
        trusted: fc.boolean(),
        asks: fc.boolean(),
        usable: fc.boolean(),
        wide: fc.boolean(),
        bounded: fc.boolean(),
      }),
      async (is) => {
        const width = await widthOf(judge(is.bounded ? "python x.py" : "python x.py; git reset --hard"), {
          setting: () => (is.on ? "confined" : "ask"),
          isTrusted: () => is.trusted,
          uncoveredAsk: () => is.asks,
          confining: {
            ready: async () => (is.usable ? { usable: true } : { usable: false, why: "x" }),
            widthOf: () => (is.wide ? "outside" : "workspace"),
          },
        });
        const may = is.on && is.trusted && !is.asks && is.usable && !is.wide && is.bounded;
        expect(width).toBe(may ? "workspace" : undefined);
      },
    ),
    { numRuns: 64 },
  );
});

it("says why it cannot be turned on", async () => {
  expect(await createUncoveredCommands({ ...all, confining: notConfined }).problem()).toMatch(
    /not confined yet/,
  );
  expect(await createUncoveredCommands(all).problem()).toBeUndefined();
});
