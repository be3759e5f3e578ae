import { expect, it } from "vitest";
import type { Probe } from "../sandbox/probe.ts";
import { runSandboxCheck } from "./sandbox-check.ts";

it.each<[Probe, number, RegExp]>([
  [
    { usable: true, program: "/usr/bin/bwrap", tries: 40 },
    0,
    /^A sandbox holds here: none of 40 tries.*\nCommands run in it, unless their card says otherwise\.\n$/,
  ],
  [
    { usable: false, why: "it is not installed" },
    1,
    /^There is no sandbox to rely on here: it is not installed\nEvery command runs as you\.\n$/,
  ],
])("says what was found, and what comes of it: %o", async (found, code, said) => {
  let text = "";
  expect(await runSandboxCheck({ write: (part) => (text += part) }, async () => found)).toBe(code);
  expect(text).toMatch(said);
});
