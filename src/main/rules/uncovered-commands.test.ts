/** What may run without a look because it is confined: only where the person, the folder, the policy and the sandbox all say so. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultSettings, type Settings } from "../../shared/contract/console.ts";
import type { Verdict } from "../../shared/contract/decisions.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { judgeCommand } from "../policy/judge-command.ts";
import { makeContext } from "../policy/testing/make-context.ts";
import { createConfinedSwitch, createUncoveredCommands, type UncoveredParts } from "./uncovered-commands.ts";

const place = { id: undefined, workspace: "/home/ada/code/app" };
/** A sandbox is a matter of the system; here it only says that it holds. */
const holds: UncoveredParts["sandbox"] = {
  mode: () => "auto",
  folders: () => [],
  ready: async () => ({ usable: true, program: "/usr/bin/bwrap", tries: 1 }),
};
const fails = { ...holds, ready: async () => ({ usable: false as const, why: "it is not installed" }) };
const off: UncoveredParts["sandbox"] = { ...holds, mode: () => "off" };
const all: UncoveredParts = {
  setting: () => "confined",
  sandbox: holds,
  isTrusted: () => true,
  uncoveredAsk: () => false,
};
const judge = (command: string) => judgeCommand(command, makeContext());
const widthOf = (verdict: Verdict, part: Partial<UncoveredParts> = {}) =>
  createUncoveredCommands({ ...all, ...part }).widthUnasked(verdict, place);

it("runs what a sandbox bounds at the width that it has, and asks about everything else", async () => {
  for (const [command, width] of [
    ["python x.py", "workspace"],
    ["make", "workspace"],
    ["echo $(date)", "workspace"],
    ["git add -A && make", "workspace and git"],
  ] as const)
    expect([command, await widthOf(judge(command))]).toEqual([command, width]);
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
  ["there is no sandbox", { sandbox: fails }],
  ["commands are not to be confined", { sandbox: off }],
])("asks where %s", async (_, part) => {
  expect(await widthOf(judge("python x.py"), part)).toBeUndefined();
});

it("asks about what would reach everything all the same, whatever is said of its parts", async () => {
  const units = [
    {
      text: "sudo ls",
      verdict: "ask" as const,
      reason: "It starts other programs.",
      sandbox: "bounds" as const,
    },
  ];
  expect(await widthOf({ verdict: "ask", units })).toBeUndefined();
});

it("needs every one of them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        on: fc.boolean(),
        trusted: fc.boolean(),
        asks: fc.boolean(),
        usable: fc.boolean(),
        wanted: fc.boolean(),
        bounded: fc.boolean(),
      }),
      async (is) => {
        const width = await widthOf(judge(is.bounded ? "python x.py" : "python x.py; git reset --hard"), {
          setting: () => (is.on ? "confined" : "ask"),
          isTrusted: () => is.trusted,
          uncoveredAsk: () => is.asks,
          sandbox: { ...(is.usable ? holds : fails), mode: () => (is.wanted ? "require" : "off") },
        });
        const may = is.on && is.trusted && !is.asks && is.usable && is.wanted && is.bounded;
        expect(width).toBe(may ? "workspace" : undefined);
      },
    ),
    { numRuns: runsOf(64) },
  );
});

it("says why it cannot be turned on", async () => {
  expect(await createUncoveredCommands({ ...all, sandbox: fails }).problem()).toBe("it is not installed");
  expect(await createUncoveredCommands({ ...all, sandbox: off }).problem()).toMatch(/switched off/);
  expect(await createUncoveredCommands(all).problem()).toBeUndefined();
});

type World = { decided: number; wouldRun: number; trusted: boolean; why?: string; settings: Settings };

function make(part: Partial<Omit<World, "settings">> = {}) {
  const world: World = {
    decided: 10,
    wouldRun: 6,
    trusted: true,
    ...part,
    settings: { ...defaultSettings },
  };
  const made = createConfinedSwitch({
    settings: () => world.settings,
    update(patch) {
      world.settings = { ...world.settings, ...patch };
      return world.settings;
    },
    trustsAny: () => world.trusted,
    rules: {
      previewConfined: async () => ({
        decided: world.decided,
        wouldRun: world.wouldRun,
        samples: [],
        rejected: [],
      }),
    },
    uncovered: { problem: async () => world.why },
  });
  return { world, made, offered: async () => (await made.offer()).offer?.wouldRun };
}

describe("the offer to run uncovered commands confined", () => {
  it.each<[string, Partial<Omit<World, "settings">>]>([
    ["no folder is trusted", { trusted: false }],
    ["there is no sandbox", { why: "it is not installed" }],
    ["it would have spared next to nothing", { wouldRun: 2 }],
  ])("is not made where %s", async (_, part) => {
    expect(await make(part).offered()).toBeUndefined();
  });

  it("is made with the person's own figures once a folder is trusted", async () => {
    const { world, offered } = make({ trusted: false });
    expect(await offered()).toBeUndefined();
    world.trusted = true;
    expect(await offered()).toBe(6);
  });

  it("is made once more after fifty decisions, and never after two times no", async () => {
    const { world, made, offered } = make({ decided: 49 });
    await made.decline();
    expect(await offered()).toBeUndefined();
    world.decided = 50;
    expect(await offered()).toBe(6);
    await made.decline();
    world.decided = 200;
    expect(await offered()).toBeUndefined();
  });

  it("is not made while such commands run confined already", async () => {
    const { world, offered } = make();
    world.settings = { ...world.settings, uncoveredCommands: "confined" };
    expect(await offered()).toBeUndefined();
  });
});

describe("turning it on", () => {
  it("is refused until the person was told what it would have meant for all they decided", async () => {
    const { made } = make();
    expect(await made.problem()).toMatch(/your own decisions/);
    await made.preview("/home/ada/shop");
    expect(await made.problem()).toMatch(/your own decisions/);
    await made.preview(undefined);
    expect(await made.problem()).toBeUndefined();
  });

  it("is open after an offer, whose figures are these", async () => {
    const { made } = make();
    await made.offer();
    expect(await made.problem()).toBeUndefined();
  });

  it("says first that there is no sandbox, and asks for no figures where it is on already", async () => {
    const { world, made } = make({ why: "it is not installed" });
    await made.preview(undefined);
    expect(await made.problem()).toMatch(/it is not installed/);
    const on = make();
    on.world.settings = { ...world.settings, uncoveredCommands: "confined" };
    expect(await on.made.problem()).toBeUndefined();
  });
});
