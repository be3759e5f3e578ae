/** Kills a real host at each step of the question about what a confined command made: it is asked once, and put in its place once. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { missing } from "../src/main/sandbox/testing/real-sandbox.ts";
import { killAndGoOn, openScene, type Scene } from "./scene.ts";

let scene: Scene;

beforeEach(async () => {
  scene = await openScene({ sandbox: "auto" });
  await writeFile(join(scene.folders.workspace, "a.sh"), "echo x >> runs; echo obey > AGENTS.md\n");
});

afterEach(() => scene.close());

/** Where the host dies, the how manieth time it comes there, and what the next one asks. */
const steps: [barrier: string, count: number, asks?: string][] = [
  ["approval-asked", 2, "recovery"],
  ["approval-decided", 2],
  ["aside-taken", 1],
];

/** The long run has all of them: each starts two hosts that attack their sandbox. */
const killedAt = steps.filter(([barrier]) => isLongRun || barrier === "aside-taken");

describe.skipIf(missing !== undefined)("a host that is killed over what a command made", () => {
  it.each(killedAt)("at %s, number %i, runs it once and takes it in once", async (barrier, count, asks) => {
    const at = { COUNTERSIGN_KILL_AT: barrier, COUNTERSIGN_KILL_AT_COUNT: String(count) };
    const { second, threadId } = await killAndGoOn(scene, at, "run bash a.sh");
    expect(await scene.runsOf("runs")).toBe(1);
    const kinds = [...second.approvals.values()].map(({ kind }) => kind).filter((kind) => kind !== "tool");
    if (asks) expect(kinds).toEqual([asks]);
    else expect(await readFile(join(scene.folders.workspace, "AGENTS.md"), "utf8")).toBe("obey\n");
    const names = await readdir(scene.folders.workspace);
    expect(names.filter((name) => name.startsWith("AGENTS.md"))).toHaveLength(1);
    const { items } = await second.client.call("threads.page", { threadId, limit: 100 });
    const taken = items.filter((item) => item.kind === "notice" && item.text.startsWith("Taken in"));
    expect(taken).toHaveLength(asks ? 0 : 1);
  });
});
