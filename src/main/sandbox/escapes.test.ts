/** More tries to get out than the probe has time for, each at each width, in real bubblewrap: none may have an effect. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isLongRun } from "../base/testing/long-run.ts";
import { attacks, ownPlace, readTries, scriptOf } from "./attacks.ts";
import { fencesOf } from "./confinement.ts";
import { attack } from "./probe.ts";
import { runConfined } from "./run-confined.ts";
import { seccompProgram } from "./seccomp-program.ts";
import { makeTargetWorld } from "./target-world.ts";
import { escapes, secretNames } from "./testing/escape-cases.ts";
import { furtherEscapes } from "./testing/further-escapes.ts";
import { missing, program } from "./testing/real-sandbox.ts";
import { obeyedBelow, roundaboutEscapes } from "./testing/roundabout-escapes.ts";
import {
  includedSettings,
  namedPrograms,
  ownSecrets,
  personalSettings,
  repositorySettings,
  settingsBelow,
  sidewaysEscapes,
} from "./testing/sideways-escapes.ts";
import { uncommonEscapes, uncommonSecrets } from "./testing/uncommon-escapes.ts";

/** Of the newest the short run has some, as they are held by the same fences as the others. */
const sideways = sidewaysEscapes.filter((_, at) => isLongRun || at % 4 === 0);
const allTries = [...attacks, ...escapes, ...furtherEscapes, ...uncommonEscapes, ...roundaboutEscapes];
/** Those that put back what they moved come first. */
const tries = [...sideways, ...allTries];

const listener = `use Socket; socket(S, PF_UNIX, SOCK_DGRAM, 0); bind(S, sockaddr_un($ARGV[0])) or die; $| = 1; print "up\\n"; recv(S, $x, 9, 0); print "reached\\n"`;

/** The world of the probe, with more in it to be aimed at. */
async function makeWorld() {
  const world = await makeTargetWorld();
  onTestFinished(() => world.close());
  const { home, workspace } = world;
  const put = (path: string, text = "mine\n") => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const name of [...secretNames, ...uncommonSecrets]) put(join(home, name), "SECRET\n");
  for (const name of [
    "tools/hooks/pre-commit",
    "tools/gitconfig",
    ".github/workflows/ci.yml",
    "docs/agents.md",
    ...[...obeyedBelow, ...namedPrograms],
  ])
    put(join(workspace, name));
  for (const name of [".gitlab-ci.yml", ".bash_profile", ".cargo/config.toml"]) put(join(workspace, name));
  put(
    join(workspace, ".git/config"),
    `[core]\n\thooksPath = tools/hooks\n[include]\n\tpath = ../tools/gitconfig\n${repositorySettings}`,
  );
  put(join(workspace, "tools/gitconfig"), includedSettings);
  put(join(workspace, "deep/er/.git/config"), settingsBelow);
  put(join(home, ".config/git/config"), personalSettings(basename(workspace)));
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_CONFIG_HOME", join(home, ".config"));
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ownSecrets) put(join(workspace, name), "SECRET\n");
  put(join(workspace, ".gitignore"), ".env*\n");
  for (const root of ["fixtures/bare", "linked-git"]) {
    for (const name of ["objects/x", "refs/x", "hooks/x", "HEAD", "config"]) put(join(workspace, root, name));
  }
  symlinkSync("docs/agents.md", join(workspace, "AGENTS.md"));
  mkdirSync(join(workspace, "linked"));
  symlinkSync("../linked-git", join(workspace, "linked/.git"));
  // A work tree that names the home as its repository, which has never heard of it.
  const [claims, part] = [join(workspace, "claims"), join(workspace, "part")];
  put(join(claims, ".git"), `gitdir: ${part}\n`);
  put(join(part, "gitdir"), `${claims}/.git\n`);
  put(join(part, "commondir"), `${home}\n`);
  const datagrams = join(home, "datagrams");
  const service = spawn("perl", ["-e", listener, datagrams], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void service.kill("SIGKILL"));
  let heard = "";
  service.stdout.on("data", (data) => (heard += data));
  await once(service.stdout, "data");
  const mark = `countersign-${process.pid}`;
  Object.assign(world.env, { MARK: mark, DATAGRAMS: datagrams, SHARED: mark, GIT_CONFIG_NOSYSTEM: "1" });
  return { ...world, mark, wasReached: () => heard.includes("reached") };
}

/** Everything in the home but the workspace, by name and content. */
function digestOf(home: string, workspace: string): string {
  const hash = createHash("sha256");
  // By itself, since a recursive reading follows links, and one of the tries leaves a link to the home.
  const look = (folder: string) => {
    const entries = readdirSync(folder, { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (path === workspace) continue;
      hash.update(`${path}\n${entry.isFile() ? readFileSync(path, "utf8") : ""}\n`);
      if (entry.isDirectory()) look(path);
    }
  };
  look(home);
  return hash.digest("hex");
}

/** What is there of the machine that names this text among its words or its environment. */
function processesWith(text: string): string[] {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "latin1");
    } catch {
      return "";
    }
  };
  return readdirSync("/proc").filter(
    (pid) => /^\d+$/.test(pid) && `${read(pid, "cmdline")}${read(pid, "environ")}`.includes(text),
  );
}

/** Ways to stay when whoever started it has ended. */
const waysToStay = [
  "sleep 1000 & disown",
  "setsid sleep 1000 &",
  "nohup setsid sleep 1000 &",
  "env -i setsid sleep 1000 &",
  "( ( trap '' HUP TERM INT; sleep 1000 & ) & )",
  `perl -MPOSIX -e 'fork and exit; setsid; fork and exit; $SIG{$_} = "IGNORE" for keys %SIG; sleep 1000'`,
  `perl -e 'fork and exit; $0 = "kworker/0:1"; exec { "/bin/sleep" } "kworker", 1000'`,
  `cp /bin/sleep "$TMPDIR/$MARK" && { setsid "$TMPDIR/$MARK" 1000 & }`,
];

/** What a person lets a command have with these: the network of this machine, and sockets that lie where it sees them. */
const ofGrant = {
  "workspace; network": [
    ...["TCP", "UDP", "its name", "its address"].map((by) => `reaches this machine by ${by}`),
    ...["::ffff:127.0.0.1", "0.0.0.0"].map((address) => `reaches this machine as ${address}`),
    ...[
      "shares the net namespace of this machine",
      "sees a network card",
      "asks the server for names by TCP",
    ],
    ...["sees the names of the machine's sockets", "sees who speaks with this machine"],
    ...["knows the routes of this machine", "knows its neighbours", "asks a server for a name"],
    ...["reaches what tells machines of a cloud who they are", "shouts into the network"],
    ...["speaks to all that listen for it", "asks for a service of the machine by its name on the network"],
    ...[
      "talks to itself through the machine",
      "reaches this machine by IPv6",
      "asks whether a machine is there",
    ],
  ],
  "workspace; sockets": [
    ...["reaches a service of this machine by its file", "opens a socket of this machine"],
    ...["sends on from a pair of its own", "opens a socket of family 1"],
    ...["sends to a service from a pair of its own", "opens a socket by a number with more bits"],
    ...["listens where the machine's programs look"],
  ],
};

it("knows at least 500 ways to try, no two of one name", () => {
  const names = [...allTries, ...sidewaysEscapes].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(500);
});

describe.skipIf(missing !== undefined)("more tries to get out", () => {
  it("leave no process behind, in whatever way it is to stay, nor when all that can be ended is", async () => {
    const world = await makeWorld();
    const args = fencesOf({ ...world, width: "workspace", cwd: world.workspace }).flat();
    const how = { program, args, seccomp: seccompProgram()!, env: world.env, timeoutMs: 60_000 };
    const stay = waysToStay.map((way) => `( ${way}\n) > /dev/null 2>&1 < /dev/null`);
    const script = [ownPlace, ...stay, 'echo "$(ls -d /proc/[0-9]* | wc -l)"'].join("\n");
    const run = await runConfined(script, how);
    expect(run.exitCode).toBe(0);
    // They were there, beside what holds them and what looks.
    expect(Number(run.output)).toBeGreaterThanOrEqual(waysToStay.length);
    // What the kernel ends with the first process of a namespace may take a moment longer than that.
    await expect.poll(() => processesWith(world.mark)).toEqual([]);
    expect((await runConfined("sleep 1000 & kill -9 -1; exit 7", how)).exitCode).toBe(7);
    await expect.poll(() => processesWith(world.mark)).toEqual([]);
  });

  it.each(["read-only", "workspace", "workspace and git"] as const)(
    "have no effect at all with the width %s",
    async (width) => {
      // What is aimed at every width is held at the others by the same fences.
      const isWidest = width === "workspace and git";
      const seccomp = seccompProgram()!;
      // Some of these would do harm on a machine that nothing keeps them from: those that would not come first.
      expect(await attack(program, await makeWorld(), width, seccomp)).toEqual({ through: [], damage: [] });
      const world = await makeWorld();
      const before = digestOf(world.home, world.workspace);
      const args = fencesOf({ ...world, width, cwd: world.workspace }).flat();
      const tried = tries.filter(({ widths }) => widths?.includes(width) ?? (isWidest || isLongRun));
      const how = { program, args, seccomp, env: world.env, timeoutMs: 120_000 };
      const run = await runConfined(scriptOf(tried), how);
      expect([run.exitCode, run.complaint]).toEqual([0, ""]);
      expect(readTries(tried, run.output)).toEqual([]);
      expect([world.damage(), world.wasReached()]).toEqual([[], false]);
      expect(digestOf(world.home, world.workspace)).toBe(before);
      expect(["/tmp", "/var/tmp", "/dev/shm"].filter((each) => existsSync(join(each, world.mark)))).toEqual(
        [],
      );
    },
  );

  it.each(isLongRun ? (Object.keys(ofGrant) as (keyof typeof ofGrant)[]) : [])(
    "have no other effect than what is granted with the width %s",
    async (width) => {
      const world = await makeWorld();
      const before = digestOf(world.home, world.workspace);
      const args = fencesOf({ ...world, width, cwd: world.workspace }).flat();
      const seccomp = seccompProgram(process.arch, { sockets: width === "workspace; sockets" })!;
      const tried = tries.filter(({ widths }) => widths?.includes("workspace") ?? true);
      const how = { program, args, seccomp, env: world.env, timeoutMs: 120_000 };
      const run = await runConfined(scriptOf(tried), how);
      expect([run.exitCode, run.complaint]).toEqual([0, ""]);
      const through = readTries(tried, run.output);
      expect(through.filter((name) => !ofGrant[width].includes(name))).toEqual([]);
      expect(digestOf(world.home, world.workspace)).toBe(before);
    },
  );
});
