/** A host killed, or held still, while agents in terminals ask through their hook: they are told nothing, and never a yes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hookCommand, hookFile } from "../src/main/agents/terminal/hook-script.ts";
import { hangGuardMs } from "../src/shared/testing/hang-guard.ts";
import type { HostProcess } from "./host-process.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
const hooks: ChildProcess[] = [];

/** As an agent runs it, by the line of its settings. */
function runHook(command = "make") {
  const line = hookCommand(scene.folders.dataDir, "claude-code");
  const child = spawn("sh", ["-c", line], { stdio: ["pipe", "pipe", "inherit"] });
  hooks.push(child);
  const said = { hook_event_name: "PermissionRequest", session_id: "s", cwd: "/work", tool_name: "Bash" };
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify({ ...said, tool_input: { command } }));
  let out = "";
  child.stdout.on("data", (piece: Buffer) => {
    out += piece.toString();
  });
  return once(child, "close").then(([code]) => ({ code: code as number | null, out: out.trim() }));
}

async function openedHost(): Promise<HostProcess> {
  const host = await scene.start();
  const isThere = () => existsSync(join(scene.folders.dataDir, hookFile));
  await vi.waitUntil(isThere, { timeout: hangGuardMs });
  return host;
}

const askedOf = (on: HostProcess, count: number) =>
  on.until(() => on.pending().length === count, `${count} cards`);

describe.skipIf(process.platform === "win32")("the door for hooks of a host that is gone", () => {
  beforeEach(async () => {
    scene = await openScene();
    const settings = { sandbox: "off", terminalAgents: true };
    await writeFile(join(scene.folders.dataDir, "settings.json"), JSON.stringify(settings));
  });
  afterEach(async () => {
    for (const hook of hooks.splice(0)) hook.kill("SIGKILL");
    await scene.close();
  });

  it("tells who waited nothing and no no, and who comes after it nothing; the card says that nobody waits", async () => {
    const first = await openedHost();
    const ends = [runHook("make"), runHook("make test")];
    await askedOf(first, 2);
    await first.kill();
    for (const { code, out } of await Promise.all(ends)) {
      expect(out).toBe("");
      // It would be a no.
      expect(code).not.toBe(2);
    }
    // The hook and its socket lie there still, and nobody listens.
    expect(await runHook()).toEqual({ code: 0, out: "" });

    const second = await openedHost();
    await askedOf(second, 2);
    for (const card of second.pending()) {
      expect(card).toMatchObject({ subject: { gone: true } });
      expect(await second.decide(card, { type: "approve" })).toMatchObject({ ok: false });
      expect(await second.decide(card, { type: "reject" })).toMatchObject({ ok: true });
    }
    await askedOf(second, 0);
    // By the same line, though socket and hook are those of another process.
    const again = runHook();
    await askedOf(second, 1);
    await second.decide(second.pending()[0]!, { type: "approve" });
    expect(JSON.parse((await again).out)).toMatchObject({
      hookSpecificOutput: { decision: { behavior: "allow" } },
    });
  });

  it("asks nothing of a host that is held still, and says nothing for it when it goes on", async () => {
    const host = await openedHost();
    process.kill(host.pid, "SIGSTOP");
    const end = await runHook();
    process.kill(host.pid, "SIGCONT");
    expect(end).toEqual({ code: 0, out: "" });
    await host.client.call("settings.get", {});
    expect(host.pending()).toEqual([]);
  });
});
