/** A rehearsal whose host, or the process that holds it up, is killed at its steps: nothing of it is left, and nothing half is shown. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { createRehearsals, type RehearsalParts } from "../src/main/rehearsal/rehearse.ts";
import { makeScene, missing } from "../src/main/rehearsal/testing/real-overlay.ts";
import { openShellFixture } from "../src/main/shell/testing/open-shell.ts";
import { hangGuardMs } from "../src/shared/testing/hang-guard.ts";

/** What still speaks of this folder: the processes of a rehearsal there, and what they have mounted. */
function processesOf(root: string): string[] {
  const says = (pid: string, name: string) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, "utf8").includes(root);
    } catch {
      return false;
    }
  };
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => ["cmdline", "environ", "mountinfo"].some((name) => says(pid, name)));
}

async function expectNothingLeft(root: string): Promise<void> {
  await vi.waitUntil(() => processesOf(root).length === 0, { timeout: hangGuardMs });
  const workspace = join(root, "workspace, one: é");
  expect([readdirSync(workspace), readFileSync(join(workspace, "a"), "utf8")]).toEqual([["a"], "one\n"]);
  // As the next start does.
  const dataDir = join(root, "data");
  await createRehearsals({ dataDir } as RehearsalParts).keepOnly(() => new Set());
  const kept = join(dataDir, "rehearsals");
  expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([]);
}

const steps = ["running", "asked", "starting", "ready", "read", "gone", "kept"];
/** When the process that holds it up is killed, in ms after all can be looked at; the first time while the command runs. */
const kills = Array.from({ length: isLongRun ? 60 : 4 }, (_, index) => ((index - 1) % 20) * 2);

describe.skipIf(missing !== undefined)("a rehearsal", () => {
  it.each(isLongRun ? steps : steps.slice(0, 1))(
    "leaves nothing when its host is killed: %s",
    async (step) => {
      const program = join(import.meta.dirname, "rehearsal-process.ts");
      const child = spawn(process.execPath, [program, step], { stdio: ["ignore", "pipe", "inherit"] });
      const [root, [, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
      onTestFinished(() => rmSync(root, { recursive: true }));
      expect(signal).toBe("SIGKILL");
      await expectNothingLeft(root);
    },
  );

  it("says that it could not be, and leaves nothing, when what holds it up is killed meanwhile", async () => {
    const many = "for i in {1..99}; do echo $i > $i; done; echo x > AGENTS.md";
    for (const afterMs of kills) {
      const { shell, run } = openShellFixture();
      const shellHost = Number((await run("echo $PPID")).output);
      const scene = makeScene({ a: "one\n" }, async (request) => {
        const held = await shell.hold(request);
        const begun = afterMs < 0 ? delay(100) : held.ready.then(() => delay(afterMs));
        void begun.then(() => process.kill(shellHost, "SIGKILL"));
        return held;
      });
      onTestFinished(scene.remove);
      const done = await scene.rehearse(afterMs < 0 ? "setsid sleep 50; sleep 50" : many);
      expect("why" in done && done.why).toMatch(/AGENTS|No overlay|taken down/);
      await expectNothingLeft(scene.root);
    }
  });
});
