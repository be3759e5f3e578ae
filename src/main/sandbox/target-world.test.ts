import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { probeSandbox } from "./probe.ts";
import { sweepTargetWorlds } from "./target-world.ts";
import { makeStandIn } from "./testing/real-sandbox.ts";

const before = new Date(Date.now() - 2 * 60 * 60 * 1_000);

it.skipIf(process.platform === "win32")(
  "takes away what a killed attack left, and neither what may be in use nor what is called otherwise or lies behind a link",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-sweep-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const at = (name: string) => join(folder, name);
    const names = ["countersign-sandbox-old", "countersign-sandbox-new", "countersign-other", "kept"];
    for (const name of names) {
      mkdirSync(at(name));
      writeFileSync(join(at(name), "x"), "");
      if (!name.endsWith("new")) utimesSync(at(name), before, before);
    }
    symlinkSync("kept", at("countersign-sandbox-link"));
    sweepTargetWorlds([folder, at("nowhere")]);
    expect(names.filter((name) => existsSync(join(at(name), "x")))).toEqual(names.slice(1));
  },
);

it.skipIf(process.platform !== "linux")("is done before the next attack", async () => {
  const left = mkdtempSync("/var/tmp/countersign-sandbox-");
  onTestFinished(() => rmSync(left, { recursive: true, force: true }));
  utimesSync(left, before, before);
  await probeSandbox({ program: makeStandIn("exit 1") });
  expect(existsSync(left)).toBe(false);
});
