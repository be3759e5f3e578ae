/** Real bubblewrap against real files, sockets and listeners. What gets out without one of its fences shows that each holds something. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ConfinedWidth } from "../../shared/width.ts";
import { attacks, attacksFor, attacksOn, ownPlace } from "./attacks.ts";
import { type Fence, fencesOf } from "./confinement.ts";
import { attack, probeSandbox } from "./probe.ts";
import { runConfined } from "./run-confined.ts";
import { seccompProgram } from "./seccomp-program.ts";
import { makeTargetWorld } from "./target-world.ts";
import { makeStandIn, missing, program } from "./testing/real-sandbox.ts";

async function makeWorld() {
  const world = await makeTargetWorld();
  onTestFinished(() => world.close());
  return world;
}
type World = Awaited<ReturnType<typeof makeWorld>>;

/** What gets out once the fences were changed; a sandbox that cannot be put up lets nothing run. */
async function getsOut(
  world: World,
  width: ConfinedWidth,
  change: (fences: Fence[]) => Fence[],
  seccomp = seccompProgram(),
) {
  return attack(program, world, width, seccomp, { change }).then(
    ({ through }) => through,
    (error: Error) => [error.message],
  );
}
/** The same, asked only until one thing got out, which most do early. */
async function anythingGetsOut(world: World, width: ConfinedWidth, change: (fences: Fence[]) => Fence[]) {
  const tries = attacksOn(attacks, width).map(
    ({ script }) => `( ${script}\n) >/dev/null 2>&1 </dev/null && exit 7`,
  );
  const args = change(fencesFor(world, width)).flat();
  const how = { program, args, env: world.env, timeoutMs: 60_000, seccomp: seccompProgram() };
  const { exitCode } = await runConfined([ownPlace, ...tries, "exit 0"].join("\n"), how);
  return exitCode === 7 || (await getsOut(world, width, change)).length > 0;
}
const fencesFor = (world: World, width: ConfinedWidth) => fencesOf({ ...world, width, cwd: world.workspace });

describe.skipIf(missing !== undefined)("a sandbox", () => {
  it("lets nothing of what it was attacked with through, at any width, wherever temporary files are", async () => {
    vi.stubEnv("TMPDIR", "/var/tmp");
    onTestFinished(() => void vi.unstubAllEnvs());
    const tries = attacksFor(attacks, "linux").length;
    expect(tries).toBeGreaterThanOrEqual(35);
    expect(await probeSandbox()).toEqual({ usable: true, program, tries });
  });

  it("is attacked at the widths too that a person may grant", async () => {
    const stub = makeStandIn(
      `case " $* " in *" --unshare-net "*) exec ${program} "$@";; esac
while [ "$1" != -- ]; do shift; done; shift; "$@"; code=$?; echo "{\\"exit-code\\": $code}" >&4; exit $code`,
    );
    expect(await probeSandbox({ program: stub })).toEqual({
      usable: false,
      why: expect.stringMatching(/gets out of it: it makes a file in the home/),
    });
  });

  it("is not relied on where what a command newly makes cannot be moved aside", async () => {
    // What is planted after a command was there before it: nothing of it is new, and so nothing is moved.
    const stub = makeStandIn(`echo theirs > "$W/AGENTS.md"; exec ${program} "$@"`);
    expect(await probeSandbox({ program: stub })).toEqual({
      usable: false,
      why: "what a command newly makes cannot be moved aside here",
    });
  });

  it("is attacked with what works where nothing holds it", async () => {
    const world = await makeWorld();
    const open = [
      ["--unshare-user", "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc"],
      ["--tmpfs", "/tmp"],
    ];
    const through = await attack(program, world, "workspace", undefined, { change: () => open });
    expect(through.damage).toHaveLength(5);
    const held = attacksFor(attacks, "linux").filter(
      ({ name, widths }) => (widths?.includes("workspace") ?? true) && !through.through.includes(name),
    );
    // Earlier tries took away what these are aimed at, or only root may, or bubblewrap itself holds them.
    const mayBeHeld =
      /hides the keys|renames a file|hooks away|another process|(?:mnt|user) namespace|machine's \/tmp|emergency keys|root alone|gain rights|rights of root|kernel for writing|switch of the machine|mounts something|system writable|device|disk|network card|UDP|services' sockets|namespace of its own/;
    expect(held.map(({ name }) => name).filter((name) => !mayBeHeld.test(name))).toEqual([]);
  });

  it("has no fence that holds nothing", async () => {
    const explained = [
      // The filter refuses a second namespace as well.
      /^--disable-userns$/,
      // It keeps apart what has no effect to be tried, and ends with whoever started it.
      /^--unshare-cgroup-try$|^--die-with-parent$|^--chdir /,
      // What stands there differs from kernel to kernel.
      /^--ro-bind \/proc\/(?!sys )|^--tmpfs \/(?:etc|var)\//,
      // Counts of pages, which have no effect and only root may read.
      /^--ro-bind \/dev\/null \/proc\/kpage/,
      // Of a repository below, one try stands for all.
      /^--bind ~\/project\/deep\/er\/.git /,
      /^--ro-bind ~\/project\/deep\/er\/.git\/config /,
    ];
    const idle: string[] = [];
    for (const width of ["workspace and git", "workspace"] as const) {
      const count = fencesFor(await makeWorld(), width).length;
      for (let without = 0; without < count; without++) {
        const world = await makeWorld();
        const fence = (fencesFor(world, width)[without] ?? []).join(" ").replaceAll(world.home, "~");
        // Of the narrower width only what differs.
        if (width === "workspace" && !fence.includes(".git")) continue;
        if (explained.some((reason) => reason.test(fence))) continue;
        const isNeeded = await anythingGetsOut(world, width, (fences) =>
          fences.filter((_, at) => at !== without),
        );
        if (!isNeeded) idle.push(fence);
      }
    }
    expect(idle).toEqual([]);
  });

  it("reaches services of the machine without its filter, and not with it", async () => {
    const without = await attack(program, await makeWorld(), "workspace", undefined);
    expect(without.through).toContain("opens a socket of this machine");
    expect(without.damage).toEqual(["a service of this machine was reached"]);
  });

  it("hides keys in a workspace that is the home itself", async () => {
    const world = await makeWorld();
    const args = fencesOf({ ...world, workspace: world.home, cwd: world.home, width: "workspace" }).flat();
    const seccomp = seccompProgram();
    const how = { program, args, env: world.env, timeoutMs: 60_000, ...(seccomp && { seccomp }) };
    const run = await runConfined(
      'cat .ssh/id_ed25519 .npmrc; ls -A "$D" .ssh; echo x > made && echo wrote',
      how,
    );
    expect(run.output).not.toMatch(/PRIVATE|SECRET|countersign.db/);
    expect(run.output).toMatch(/wrote\n$/);
  });

  it("lets git commit, stash and collect, and leaves nothing of its own in the workspace", async () => {
    const world = await makeWorld();
    const env = {
      ...world.env,
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@b.c",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@b.c",
    };
    execFileSync("git", ["init", "-q"], { cwd: world.workspace, env });
    const before = readdirSync(world.workspace);
    const args = fencesFor(world, "workspace and git").flat();
    const seccomp = seccompProgram();
    const how = { program, args, env, timeoutMs: 60_000, ...(seccomp && { seccomp }) };
    const script = `set -e; rm -rf deep/er/.git/x; git add .envrc .vscode; git commit -qm one; echo more > a; git add a
git stash -q; git stash pop -q; git commit -qm two; git gc -q; git worktree list; git log --oneline | wc -l`;
    const run = await runConfined(script, how);
    expect([run.complaint, run.exitCode, run.output.trim().split("\n").at(-1)]).toEqual(["", 0, "2"]);
    expect(readdirSync(world.workspace).sort()).toEqual([...before, "a"].sort());
  });

  it("shows a worktree among the app's records and nothing else of them, and leads its git nowhere else", async () => {
    const world = await makeWorld();
    const env = { ...world.env, GIT_CONFIG_COUNT: "0" };
    const inRepository = { cwd: world.workspace, env };
    const names = ["-c", "user.name=A", "-c", "user.email=a@b.c"];
    execFileSync("git", ["init", "-q"], inRepository);
    execFileSync("git", [...names, "commit", "-q", "--allow-empty", "-m", "one"], inRepository);
    const other = join(world.home, "elsewhere");
    const workspace = join(world.dataDir, "worktrees/1/project");
    for (const path of [other, workspace])
      execFileSync("git", ["worktree", "add", "-q", "--detach", path], inRepository);
    const args = fencesOf({ ...world, workspace, cwd: workspace, width: "workspace and git" }).flat();
    const seccomp = seccompProgram();
    const how = { program, args, env, timeoutMs: 60_000, ...(seccomp && { seccomp }) };
    const parts = join(world.workspace, ".git/worktrees");
    const run = await runConfined(
      `echo x > made; git add made; git ${names.join(" ")} commit -qm two && echo committed; ls -A "$D"
for f in "$D/evil" "$D/worktrees/evil" .git ${parts}/project/commondir ${parts}/project/gitdir ${parts}/elsewhere/commondir ${parts}/elsewhere/HEAD; do { echo x > "$f"; } 2>/dev/null && echo "wrote $f"; done; cat "$D/countersign.db"`,
      how,
    );
    expect(run.output).toBe("committed\nworktrees\n");
    expect(readdirSync(world.dataDir).sort()).toEqual(["countersign.db", "worktrees"]);
  });

  it("tells what failed in it from what never ran", async () => {
    const world = await makeWorld();
    const how = { program, args: fencesFor(world, "read-only").flat(), env: world.env, timeoutMs: 60_000 };
    expect((await runConfined("exit 1", how)).exitCode).toBe(1);
    expect((await runConfined("kill -9 $$", how)).exitCode).toBe(137);
    for (const broken of [["--bind", "/nowhere", "/mnt"], ["--no-such-option"]]) {
      const run = await runConfined("exit 1", { ...how, args: [...how.args, ...broken] });
      expect([run.exitCode, run.complaint]).toEqual([undefined, expect.stringContaining("bwrap:")]);
    }
  });
});

describe("a bubblewrap that is not what it should be", () => {
  it.skipIf(process.platform !== "linux").each([
    ["fails", "echo 'bwrap: no namespaces' >&2; exit 1", /could not be put up \(bwrap: no namespaces\)/],
    ["says that all went well and runs nothing", "exit 0", /could not be put up/],
    ["names a code and runs nothing", `echo '{"exit-code": 23}' >&4; exit 0`, /come to their end/],
    ["says what nobody asked", `echo '{"exit-code": 23}' >&4; echo whole; exit 0`, /come to their end/],
    [
      "runs everything as it is",
      `while [ "$1" != -- ]; do shift; done; shift; "$@"; code=$?; echo "{\\"exit-code\\": $code}" >&4; exit $code`,
      /gets out/,
    ],
    [
      "lets everything through and says that nothing got there",
      `while [ "$1" != -- ]; do shift; done; shift; "$@" > /dev/null; code=$?; echo whole; echo "{\\"exit-code\\": $code}" >&4; exit $code`,
      /gets out of it: it other\/notes,.*a service of this machine was reached/,
    ],
  ])("and %s is not relied on", async (_, script, why) => {
    const stub = makeStandIn(script);
    expect(await probeSandbox({ program: stub })).toEqual({
      usable: false,
      why: expect.stringMatching(why),
    });
  });

  it.skipIf(process.platform !== "linux")(
    "and hangs is given up and not relied on, also when somebody it started holds its output",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "countersign-bwrap-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const [own, other] = [join(folder, "own"), join(folder, "other")];
      const stub = makeStandIn(
        `echo $$ > ${own}; setsid bash -c 'echo $$ > ${other}.new; mv ${other}.new ${other}; exec sleep 1000' & sleep 1000`,
      );
      const pidIn = (file: string) => Number(readFileSync(file, "utf8"));
      // On a busy machine it may be given up before it has started anybody.
      for (let timeoutMs = 500; !existsSync(other); timeoutMs *= 2) {
        const probed = await probeSandbox({ program: stub }, { timeoutMs });
        expect(probed).toEqual({ usable: false, why: expect.stringContaining("could not be put up") });
      }
      process.kill(pidIn(other), "SIGKILL");
      await vi.waitUntil(() => !existsSync(`/proc/${pidIn(own)}`));
    },
  );

  it("and is missing, or on a machine whose numbers nobody knows, is said to be", async () => {
    expect(await probeSandbox({ why: "it is not installed" })).toEqual({
      usable: false,
      why: "it is not installed",
    });
    const missing = await probeSandbox({ program: join(tmpdir(), "no-such-bwrap") });
    expect(missing).toEqual({ usable: false, why: expect.stringMatching(/ENOENT|for mips|no such/) });
    expect(seccompProgram("mips")).toBeUndefined();
  });
});
