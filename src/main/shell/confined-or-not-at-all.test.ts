/** Property (I8): whatever a width and whatever fails on the way, a command starts with exactly its confinement, or not at all. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Width, writeWidth } from "../../shared/width.ts";
import { fencesOf } from "../sandbox/confinement.ts";
import type { Probe } from "../sandbox/probe.ts";
import { makeStandIn } from "../sandbox/testing/real-sandbox.ts";
import { openShellFixture } from "./testing/open-shell.ts";

const failures = [
  "nothing",
  "no sandbox",
  "the probe says no",
  "the probe throws",
  "the program is gone",
  "a folder became a link",
  "its filter cannot be written",
  "its workspace holds the system",
  "its row names another width",
  "its row is confined, and it is not",
] as const;

/** What may be named, and one that leads elsewhere by the time the command starts. */
function makeNamed() {
  const root = realpathSync(mkdtempSync("/var/tmp/countersign-or-not-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const name of ["a", "b"]) mkdirSync(join(root, name));
  symlinkSync(join(root, "a"), join(root, "link"));
  return root;
}

describe.runIf(process.platform === "linux")("a command that is to be confined", () => {
  it("starts with exactly what its width says, or not at all, wherever its way there fails", async () => {
    const root = makeNamed();
    const [home, dataDir, told] = [join(root, "home"), join(root, "data"), join(root, "told")];
    // In the place of bubblewrap: it tells what it was to put up, and starts nothing.
    const program = makeStandIn(`printf '%s\\0' "$@" > ${told}; exit 1`);
    const hidden = { paths: [join(root, "b")], home: false };
    let probe = async (): Promise<Probe> => ({ usable: true, program, tries: 1 });
    let row: Width = "read-only";
    const assertPermit = (_: unknown, width: Width) => {
      if (width !== row) throw new Error("The row names another width.");
    };
    const held = openShellFixture({
      assertPermit,
      sandbox: { ready: () => probe(), home, dataDir, hidden: () => hidden },
    });
    const bare = openShellFixture({ assertPermit });

    const reach = fc.record({
      files: fc.constantFrom("none" as const, "workspace" as const, "workspace and git" as const),
      grant: fc.constantFrom(undefined, "network" as const, "sockets" as const),
      folders: fc.subarray([join(root, "a"), join(root, "b")]),
    });
    let id = 0;
    const attempt = async (parts: Parameters<typeof writeWidth>[0], failure: (typeof failures)[number]) => {
      id += 1;
      rmSync(told, { force: true });
      const isLinked = failure === "a folder became a link";
      const width = writeWidth(isLinked ? { files: "workspace", folders: [join(root, "link")] } : parts);
      const witness = join(root, `ran-${id}`);
      const { start, dir, logDir } = failure === "no sandbox" ? bare : held;
      const cwd = failure === "its workspace holds the system" ? "/" : dir;
      probe = async () => {
        if (failure === "the probe throws") throw new Error("It went away.");
        if (failure === "the probe says no") return { usable: false, why: "it lets something out" };
        return {
          usable: true,
          program: failure === "the program is gone" ? `${program}-gone` : program,
          tries: 1,
        };
      };
      row = failure === "its row names another width" ? 'workspace; network; folders ["/x"]' : width;
      if (failure === "its filter cannot be written")
        mkdirSync(join(logDir, `run-${id}.log.filter`), { recursive: true });
      const asked: Width = failure === "its row is confined, and it is not" ? "outside" : width;
      const options = { executionId: `run-${id}`, width: asked, cwd };
      const end = await start(`echo > ${witness}`, options).then(
        async (command) => ((await command.done).notConfined === undefined ? "ran" : "held"),
        () => "refused",
      );
      const words = existsSync(told) ? readFileSync(told, "utf8").split("\0") : undefined;
      expect([end === "ran", existsSync(witness)]).toEqual([false, false]);
      if (failure !== "nothing") expect([failure, words]).toEqual([failure, undefined]);
      else {
        const fences = fencesOf({ width, workspace: dir, cwd: dir, home, dataDir, hidden }).flat();
        expect(words?.slice(0, fences.length + 1)).toEqual([...fences, "--seccomp"]);
      }
    };
    for (const failure of failures)
      await fc.assert(
        fc.asyncProperty(reach, (parts) => attempt(parts, failure)),
        { seed: 8, numRuns: failure === "nothing" ? 12 : 3 },
      );
  });
});
