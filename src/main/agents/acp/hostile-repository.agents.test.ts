/** Real agents of others in a repository that is all traps; `npm run test:agents` runs this. What no card showed changed nothing. */
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SourceHost } from "../../engine/testing/source-host.ts";
import { missing, program } from "../../sandbox/testing/real-sandbox.ts";
import { wayToGovern } from "./governing.ts";
import { type FolderTrap, folderTraps, setTrap } from "./testing/folder-traps.ts";
import { approve, reject } from "./testing/outer-scene.ts";
import { type RealAgent, realAgents } from "./testing/real-agent.ts";
import { createScriptedModel, script } from "./testing/scripted-model.ts";

const model = createScriptedModel();
let host: SourceHost;

beforeAll(() => model.start());
afterAll(() => model.stop());
afterEach(async () => {
  await host.close();
  host.remove();
});

const marks = () => readdirSync(join(host.root, "marks")).sort();

/** A host whose folder holds all traps; each that catches leaves its mark beside the folder. */
async function openFor(real: RealAgent, way: typeof wayToGovern, sandbox?: string): Promise<FolderTrap[]> {
  host = new SourceHost({
    agentOf: () => real.agent(),
    environment: () => real.environment(join(host.root, "home"), model.url),
    wayToGovern: way,
    sandbox: async () => sandbox,
  });
  await host.open();
  mkdirSync(join(host.root, "marks"));
  // Not below /tmp, of which a sandbox has one of its own, but beside the folder in the same place.
  const mark = join(host.root, "mark.sh");
  writeFileSync(mark, `#!/bin/sh\n: > "${join(host.root, "marks")}/$1"\n`);
  chmodSync(mark, 0o755);
  const traps = Object.values(folderTraps((name) => [mark, name]));
  for (const trap of traps) setTrap(host.workspace, trap);
  return traps;
}

const installed = realAgents.filter(({ missing: why }) => why === undefined);
const filesFor = (traps: FolderTrap[], real: RealAgent) =>
  traps.filter(({ obeyedBy }) => obeyedBy.includes(basename(real.agent().command))).map(({ file }) => file);

/** What the card of the start shows; nothing where it starts without one. */
async function shownAtStart(real: RealAgent, yes: boolean): Promise<string[]> {
  const threadId = host.start("outer", script("Good morning"), real.agent().id);
  const status = () => host.stores.threads.get(threadId).status;
  const isOver = () => ["done", "failed", "stopped"].includes(status());
  await host.until(() => isOver() || host.stores.approvals.pendingCount(threadId) > 0);
  const [card] = host.stores.approvals.pending(threadId);
  if (card) await host.decide(card, yes ? approve : reject);
  await host.until(isOver);
  expect(status(), host.stores.threads.get(threadId).problem).toBe(card && !yes ? "stopped" : "done");
  return card ? [...(card.args.places as string[])] : [];
}

describe.each(installed)("$name in a repository that is all traps", (real) => {
  it("shows each of them before it starts, where it asks, and after a no none has caught", async () => {
    const traps = await openFor(real, () => undefined);
    expect((await shownAtStart(real, false)).sort()).toEqual(filesFor(traps, real).sort());
    expect(marks()).toEqual([]);
  });
});

describe.each(installed.filter(({ ours }) => ours !== undefined))(
  "$name, governed, in such a repository",
  (real) => {
    it("is caught by none that its card did not show", async () => {
      await openFor(real, wayToGovern);
      const shown = await shownAtStart(real, true);
      const caught = marks();
      if (!shown.some((file) => file.startsWith(".claude") || file === ".mcp.json"))
        expect(caught.filter((name) => name.startsWith("claude"))).toEqual([]);
      if (!shown.includes("opencode.json")) expect(caught).not.toContain("opencode-mcp");
      if (shown.length === 0) expect(caught).toEqual([]);
      console.log(
        `${real.name}, governed: the card showed ${shown.join(", ") || "nothing"}; caught: ${caught.join(", ") || "none"}.`,
      );
    });

    it.skipIf(missing !== undefined)("changes nothing by any of them where it is confined", async () => {
      await openFor(real, wayToGovern, program);
      await shownAtStart(real, true);
      expect(marks()).toEqual([]);
    });
  },
);
