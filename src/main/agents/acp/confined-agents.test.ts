/** A governed agent whose own program is confined by real bubblewrap: what it does past our tools is held, and ours work. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { nothingMore } from "../../sandbox/hidden-places.ts";
import { missing, program } from "../../sandbox/testing/real-sandbox.ts";
import { findNamed } from "../../shell/testing/open-shell.ts";
import { fakeAgent, governFake } from "./testing/fake-program.ts";
import { processesOf, programOf } from "./testing/marked-processes.ts";
import { approve, createOuterScene, linesOf } from "./testing/outer-scene.ts";

const scene = createOuterScene("governed");

/** What the fake runs from: nothing of it is there in a sandbox, which has a `/tmp` of its own, where all of this lies in that. */
const programs = fileURLToPath(new URL("../../../..", import.meta.url));

/** A command that no other test runs: a daemon that carries no mark in its environment and no parent tells whose it was. */
const daemon = `sleep ${1_000_000 + process.pid}.5`;

/** The fake keeps what it wrote down in a folder of its own, as real ones keep their sessions. */
async function openWith(
  sandbox: string,
  ownIn = (): string => scene.host.root,
  hidden = nothingMore,
): Promise<void> {
  await scene.openAnew({
    agentOf: (id) => fakeAgent(id, join(scene.host.root, "own/journal")),
    wayToGovern: (agent) => {
      const way = governFake(agent);
      return way && ((tools) => ({ ...way(tools), ownPlaces: () => [programs, join(ownIn(), "own")] }));
    },
    environment: () => ({ PATH: process.env.PATH!, HOME: scene.host.root }),
    sandbox: async () => sandbox,
    hidden: () => hidden,
  });
  mkdirSync(join(scene.host.root, "own"));
}
const heard = () => linesOf(join(scene.host.root, "own/journal"));

describe.skipIf(missing !== undefined)("the program of a governed agent that is confined", () => {
  it("writes nothing but its own files, sees neither records nor credentials, and works with our tools", async () => {
    // Not below `/tmp`, of which there is another in the sandbox.
    const beside = mkdtempSync("/var/tmp/countersign-beside-");
    onTestFinished(() => rmSync(beside, { recursive: true }));
    const diary = join(beside, "diary");
    await openWith(program, undefined, { paths: [diary], home: true });
    const { root, workspace } = scene.host;
    mkdirSync(join(root, ".ssh"));
    for (const path of [join(root, ".ssh/id_rsa"), diary]) writeFileSync(path, "KEY");
    const past = [
      `echo past >> ${workspace}/past.txt`,
      `echo past >> ${root}/past.txt`,
      `cat ${root}/.ssh/id_rsa ${diary} ${root}/data-0/countersign.db > ${root}/own/seen`,
      `find ${root}/data-0 -type f >> ${root}/own/records`,
      `echo own > ${root}/own/mine`,
    ];
    const threadId = scene.start(["run echo ours >> done.txt", `unasked ${past.join("; ")}`].join("\n"));
    const card = await scene.host.onePending(threadId);
    // Why it could not be confined would stand in the thread.
    const notices = scene.items(threadId).filter(({ kind }) => kind === "notice");
    expect([card.tool, scene.levelOf(threadId), notices]).toEqual(["execute", "confined", []]);
    await scene.host.decide(card, approve);
    await scene.host.untilStatus(threadId, "failed");
    expect([scene.written(), linesOf(join(workspace, "past.txt")), linesOf(join(root, "past.txt"))]).toEqual([
      ["ours"],
      [],
      [],
    ]);
    expect([linesOf(join(root, "own/seen")), linesOf(join(root, "own/mine"))]).toEqual([[""], ["own"]]);
    // Of the records it sees the way to our tools.
    expect(linesOf(join(root, "own/records")).sort()).toEqual([
      expect.stringMatching(/\/data-0\/tool-doors\/tools-\w+$/),
      expect.stringMatching(/\/data-0\/tools-\w+\.sock$/),
    ]);
    expect(scene.levelOf(threadId)).toBe("asking");
  });

  it("leaves no process when it is stopped, or killed while it waits", async () => {
    await openWith(program);
    const steps = ["leave_behind", `daemon ${daemon}`, "run echo never >> done.txt"];
    const threadId = scene.start(steps.join("\n"), "governed--ignore-end");
    await scene.host.onePending(threadId);
    await expect.poll(() => findNamed(daemon)).toHaveLength(1);
    expect((await processesOf(threadId)).length).toBeGreaterThan(2);
    await scene.host.engine.actors.stop(threadId, new Error("stopped"));
    expect([await processesOf(threadId), await findNamed(daemon)]).toEqual([[], []]);
    const killed = scene.start("run echo never >> done.txt");
    await scene.host.onePending(killed);
    process.kill(await programOf(killed), "SIGKILL");
    await scene.host.untilStatus(killed, "failed");
    await expect.poll(() => processesOf(killed)).toEqual([]);
    expect(scene.pending(killed)).toEqual([]);
  });
});

describe.skipIf(process.platform !== "linux")(
  "the program of a governed agent that cannot be confined",
  () => {
    it.each([
      ["nothing runs in the sandbox", "/bin/false", () => scene.host.root],
      ["it keeps its own files in the folder", "/bin/true", () => scene.host.workspace],
    ])("is governed, and says so, where %s", async (_why, sandbox, ownIn) => {
      await openWith(sandbox, ownIn);
      const threadId = scene.start("run echo ours >> done.txt");
      const card = await scene.host.onePending(threadId);
      expect(scene.levelOf(threadId)).toBe("governed");
      expect(JSON.stringify(scene.items(threadId))).toContain("could not be run confined");
      await scene.host.decide(card, approve);
      await scene.host.untilStatus(threadId, "done");
      expect([scene.written(), heard().length > 0]).toEqual([["ours"], true]);
    });

    it("leaves no daemon either", async () => {
      const threadId = scene.start(`daemon ${daemon}\nrun echo never >> done.txt`);
      await scene.host.onePending(threadId);
      expect(await findNamed(daemon)).toHaveLength(1);
      await scene.host.engine.actors.stop(threadId, new Error("stopped"));
      expect(await findNamed(daemon)).toEqual([]);
    });
  },
);
