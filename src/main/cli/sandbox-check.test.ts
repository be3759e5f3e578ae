import { expect, it } from "vitest";
import type { Probe } from "../sandbox/probe.ts";
import { runSandboxCheck } from "./sandbox-check.ts";

it.each<[Probe, number, RegExp]>([
  [{ usable: true, program: "/usr/bin/bwrap", tries: 40 }, 0, /^A sandbox holds here: none of 40 tries/],
  [
    { usable: false, why: "it is not installed" },
    1,
    /^There is no sandbox to rely on here: it is not installed\n/,
  ],
])("says what was found, and that nothing is confined: %o", async (found, code, said) => {
  let text = "";
  expect(await runSandboxCheck({ write: (part) => (text += part) }, async () => found)).toBe(code);
  expect(text).toMatch(said);
  expect(text).toContain("confines no commands yet");
});
