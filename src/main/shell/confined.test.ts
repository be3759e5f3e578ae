/** Commands that are held by real bubblewrap: a terminal like any other, and nothing of them goes on when they end. */

import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Width, writeWidth } from "../../shared/width.ts";
import { isKernelSince } from "../base/kernel-since.ts";
import { type Hidden, nothingMore } from "../sandbox/hidden-places.ts";
import type { Probe } from "../sandbox/probe.ts";
import { makeStandIn, missing, program } from "../sandbox/testing/real-sandbox.ts";
import type { RunOptions, SandboxForCommands } from "./shell-options.ts";
import {
  findNamed,
  isAlive,
  openShellFixture,
  shellHostOf,
  until,
  untilOutput,
} from "./testing/open-shell.ts";

/** A shell whose sandbox is this one, which is taken for probed. */
function openConfined(
  probed: Probe = { usable: true, program, tries: 1 },
  places: Partial<SandboxForCommands> = {},
) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-confined-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const sandbox = {
    ready: async () => probed,
    home: join(root, "home"),
    dataDir: join(root, "data"),
    hidden: () => nothingMore,
    ...places,
  };
  const fixture = openShellFixture({ sandbox });
  const confined = (command: string, more: Partial<RunOptions> = {}) =>
    fixture.start(command, { width: "read-only", ...more });
  return {
    ...fixture,
    root,
    start: confined,
    run: async (command: string, more?: Partial<RunOptions>) => (await confined(command, more)).done,
  };
}

describe.skipIf(missing !== undefined)("a confined command", () => {
  it("writes where its width says and nowhere else, and its exit code comes back", async () => {
    const { run, dir } = openConfined();
    const own = `/tmp/countersign-own-${randomUUID()}`;
    const write = `echo x > made; echo x > ${own} && echo own; exit 7`;
    const reading = await run(write);
    expect([reading.output, reading.exitCode]).toEqual([
      expect.stringMatching(/made: Read-only file system\nown\n$/),
      7,
    ]);
    expect(existsSync(join(dir, "made"))).toBe(false);
    expect((await run(write, { width: "workspace" })).output).toBe("own\n");
    expect(existsSync(join(dir, "made"))).toBe(true);
    expect(existsSync(own)).toBe(false);
    expect((await run("kill -9 $$")).exitCode).toBe(137);
    const bounds = (await run("ulimit -u; cat /proc/self/oom_score_adj")).output.split("\n").map(Number);
    expect([bounds[0]! <= 8192 || !isKernelSince(5, 14), bounds[1]! >= 500]).toEqual([true, true]);
  });

  it("leaves nothing beside its log, also where its text is full of quotes and as long as a command may be", async () => {
    const { run, logDir, dir } = openConfined();
    const odd = `echo "it's" 'a "b"' \\$x; x='$(touch made)'; echo "$x"; #${"'".repeat(100_000)}`;
    expect(await run(odd)).toMatchObject({ output: `it's a "b" $x\n$(touch made)\n`, exitCode: 0 });
    expect(existsSync(join(dir, "made"))).toBe(false);
    expect(readdirSync(logDir).filter((name) => /mark|filter/.test(name))).toEqual([]);
  });

  it("writes in a folder that was named, but not to what steers others there, nor where it leads elsewhere now", async () => {
    const { run, dir } = openConfined();
    const named = realpathSync(mkdtempSync("/var/tmp/countersign-named-"));
    onTestFinished(() => rmSync(named, { recursive: true }));
    for (const root of [named, dir]) execFileSync("git", ["init", "-q"], { cwd: root });
    writeFileSync(join(named, ".envrc"), "mine\n");
    const width = writeWidth({ files: "workspace", folders: [named] });
    const write = `cd ${named}; echo x > made; echo x > .envrc; echo x > .git/made; echo x > AGENTS.md; ls made`;
    const { output, setAside } = await run(write, { width });
    expect(output).toMatch(/\.envrc: Read-only[\s\S]*\.git\/made: Read-only[\s\S]*\nmade\n/);
    expect(setAside).toEqual([join(named, "AGENTS.md.made-confined")]);
    expect(readdirSync(named).toSorted()).toEqual([".envrc", ".git", "AGENTS.md.made-confined", "made"]);
    expect((await run(`echo x > ${named}/more`, { width: "workspace" })).output).toMatch(/Read-only/);
    const link = join(dir, "link");
    symlinkSync(named, link);
    const through = writeWidth({ files: "workspace", folders: [link, dirname(link)] });
    await expect(run("true", { width: through })).resolves.toBeDefined();
    const swapped = join(dirname(named), `${basename(named)}-link`);
    symlinkSync(named, swapped);
    onTestFinished(() => rmSync(swapped));
    const moved = writeWidth({ files: "workspace", folders: [swapped] });
    await expect(run("true", { width: moved })).rejects.toMatchObject({ code: "not-confined" });
  });

  it("keeps what is guarded in its workspace where a folder around it was named", async () => {
    const { run, dir } = openConfined();
    const around = realpathSync(mkdtempSync("/var/tmp/countersign-around-"));
    onTestFinished(() => rmSync(around, { recursive: true }));
    const inner = join(around, "inner");
    mkdirSync(inner);
    execFileSync("git", ["init", "-q"], { cwd: inner });
    const width = writeWidth({ files: "workspace", folders: [around] });
    const plant = "echo x > .git/config; echo x > .git/hooks/pre-commit; echo x > ../beside";
    const { output } = await run(plant, { width, cwd: inner });
    expect(output).toMatch(/\.git\/config: Read-only[\s\S]*pre-commit: Read-only/);
    expect([existsSync(join(around, "beside")), dir === inner]).toEqual([true, false]);
  });

  it("has package managers give up at once without a network", async () => {
    const { run } = openConfined();
    const { output } = await run("npm config get fetch-retries; echo $PIP_RETRIES", { width: "workspace" });
    expect(output).toMatch(/(?:^|\n)0\n0\n$/);
  });

  it("reaches what it was granted and nothing else", async () => {
    const { run, root } = openConfined();
    const socket = join(root, "s");
    const service = createServer((each) => each.on("error", () => {}).end("hello"));
    const web = createServer((each) => each.on("error", () => {}).end("hello"));
    onTestFinished(() => void [service, web].map((each) => each.close()));
    await new Promise<void>((done) => service.listen(join("/var/tmp", `s-${process.pid}`), done));
    await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
    const port = (web.address() as AddressInfo).port;
    const script = `perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0) and connect(S, sockaddr_un("/var/tmp/s-${process.pid}")) and print "socket "'; (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo -n network; echo`;
    const through = async (width: Width) => (await run(script, { width })).output.trim();
    expect(await through("workspace")).toBe("");
    expect(await through("workspace; network")).toBe("network");
    expect(await through("workspace; sockets")).toBe("socket");
    expect(existsSync(socket)).toBe(false);
  });

  it("sees nothing that the person hides, and of a hidden home only its folder and the programs", async () => {
    const home = realpathSync(mkdtempSync("/var/tmp/countersign-home-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const cwd = join(home, "code/app");
    for (const each of [cwd, join(home, ".cargo/bin"), join(home, "notes"), join(home, "data")])
      mkdirSync(each, { recursive: true });
    for (const each of [
      "notes/a",
      ".cargo/bin/tool",
      ".cargo/credentials",
      ".netrc",
      "code/secret",
      "code/app/own",
      "data/x",
    ])
      writeFileSync(join(home, each), "SEEN\n");
    const look = `cd ${home}; grep -rs SEEN . | sort; ls -A1 --color=never --indicator-style=none; echo x > new; echo x > code/app/made`;
    const ofHidden = async (hidden: Hidden) => {
      const { run } = openConfined(undefined, { home, dataDir: join(home, "data"), hidden: () => hidden });
      return (await run(look, { width: "workspace", cwd })).output.replace(/^.*bash:/m, "bash:");
    };
    expect(await ofHidden({ paths: [join(home, "code/secret")], home: false })).toBe(
      "./.cargo/bin/tool:SEEN\n./code/app/own:SEEN\n./notes/a:SEEN\n.cargo\n.netrc\ncode\ndata\nnotes\nbash: line 1: new: Read-only file system\n",
    );
    expect(await ofHidden({ paths: [], home: true })).toBe(
      "./.cargo/bin/tool:SEEN\n./code/app/own:SEEN\n.cargo\ncode\nbash: line 1: new: Read-only file system\n",
    );
    expect(existsSync(join(cwd, "made"))).toBe(true);
  });

  it("cannot reach the mark that says it has begun, nor anything else that started it", async () => {
    const { run } = openConfined();
    const look = 'for p in /proc/[0-9]*; do for f in $p/fd/*; do readlink "$f"; done; done | sort -u';
    expect((await run(look)).output).not.toMatch(/mark|filter|status/);
  });

  it("has what it newly made that steers other programs moved aside, and nothing else", async () => {
    const { run, dir } = openConfined();
    writeFileSync(join(dir, ".profile"), "mine\n");
    const making =
      "echo x > .envrc; mkdir -p .github/workflows .agents/skills/s; ln -s /etc .vscode; ln -s plain AGENTS.md; echo x > plain; echo x > .profile";
    const result = await run(making, { width: "workspace" });
    expect(result.output).toMatch(/\.profile: Read-only file system/);
    const made = [".envrc", ".vscode", ".github/workflows", "AGENTS.md", ".agents"];
    const aside = made.map((name) => `${name}.made-confined`);
    expect(result.setAside?.toSorted()).toEqual(aside.toSorted());
    expect(readdirSync(dir).toSorted()).toEqual(
      [...aside.filter((name) => !name.includes("/")), ".github", ".profile", "logs", "plain"].toSorted(),
    );
    expect((await run("echo y > .envrc", { width: "workspace" })).setAside).toEqual([
      ".envrc.made-confined-2",
    ]);
  });

  it("hides the secrets of the workspace's environment, and leaves what git holds as it is", async () => {
    const { run, dir } = openConfined();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: dir, encoding: "utf8" });
    git("init", "-q");
    for (const name of ["api", "a/b/c/d/e"]) mkdirSync(join(dir, name), { recursive: true });
    writeFileSync(join(dir, ".gitignore"), "node_modules/\n.env*\n!.env.test\n!.env.example\n");
    for (const name of [".env", "api/.env.local", "a/b/c/d/e/.env", ".env.test", ".env.example", "own.env"])
      writeFileSync(join(dir, name), "KEY=hidden\n");
    git("add", ".env.test", ".env.example");
    for (const width of ["read-only", "workspace", "workspace and git"] as const) {
      const read = async (name: string) => (await run(`cat ${name}; echo x > ${name}`, { width })).output;
      for (const name of [".env", "api/.env.local", "a/b/c/d/e/.env"])
        expect(await read(name)).not.toContain("hidden");
      const both = await run("cat .env.test .env.example", { width });
      expect(both.output).toBe("KEY=hidden\nKEY=hidden\n");
    }
    expect(readFileSync(join(dir, ".env"), "utf8")).toBe("KEY=hidden\n");
    expect((await run("cat own.env", { width: "workspace" })).output).not.toContain("hidden");
    // One that git does not pass over is no more hidden from it than the commit that it goes into.
    expect(await run("git add -A", { width: "workspace and git" })).toMatchObject({
      exitCode: 0,
      output: "",
    });
    expect(git("diff", "--cached", "--name-only", "--diff-filter=D")).toBe("");
  });

  it("has moved aside what another one changed in a folder that this one had moved away and back", async () => {
    const { start, run, dir } = openConfined();
    mkdirSync(join(dir, "part"));
    mkdirSync(join(dir, "node_modules"));
    writeFileSync(join(dir, "part/AGENTS.md"), "mine\n");
    const width = "workspace" as const;
    const mover = await start(
      "echo evil >> part/AGENTS.md; mv part node_modules/; echo moved; read -r _; mv node_modules/part .",
      { width },
    );
    await untilOutput(mover, "moved");
    expect(await run("echo evil > node_modules/part/AGENTS.md", { width })).toMatchObject({ exitCode: 0 });
    mover.write("\n");
    const { setAside, output } = await mover.done;
    expect(output).toContain("Read-only file system");
    expect(setAside).toEqual(["part/AGENTS.md.made-confined"]);
  });

  it("has hooks and settings that it newly gave a repository moved aside", async () => {
    const { run, dir } = openConfined();
    execFileSync("git", ["init", "-q", "--template="], { cwd: dir });
    const made =
      "mkdir -p .git/hooks && echo x > .git/hooks/pre-commit; echo ../sub/.git > .git/commondir; mkdir -p sub/.git && echo x > sub/.git/config";
    const { setAside } = await run(made, { width: "workspace and git" });
    expect(setAside?.toSorted()).toEqual([
      ".git/commondir.made-confined",
      ".git/hooks.made-confined",
      "sub/.git/config.made-confined",
    ]);
    expect(existsSync(join(dir, ".git/hooks"))).toBe(false);
  });

  it("does not run where a link took the place of a folder after it was looked at, wherever that leads", async () => {
    const beside = realpathSync(mkdtempSync("/var/tmp/countersign-beside-"));
    onTestFinished(() => rmSync(beside, { recursive: true }));
    // Bubblewrap itself; what it is to mount is swapped right before.
    const swapping = makeStandIn(
      `rm -rf sub/.git; ln -s "../../..$(cat leads)" sub/.git; exec ${program} "$@"`,
    );
    const { run, dir } = openConfined({ usable: true, program: swapping, tries: 1 });
    for (const leads of [beside, "/tmp", "/proc", "/dev", "/dev/shm", "/etc"]) {
      rmSync(join(dir, "sub"), { recursive: true, force: true });
      mkdirSync(join(dir, "sub/.git"), { recursive: true });
      writeFileSync(join(dir, "leads"), leads);
      const { notConfined } = await run(`echo x > ${beside}/planted; touch ran`, {
        width: "workspace and git",
      });
      expect([leads, notConfined]).toEqual([
        leads,
        expect.stringContaining("can be written, which it should not"),
      ]);
    }
    expect([readdirSync(beside), existsSync(join(dir, "ran"))]).toEqual([[], false]);
  });

  it("leaves the workspace and its repository whole when the shell host is killed, and what it made moved aside", async () => {
    const { start, dir } = openConfined();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: dir, encoding: "utf8" });
    git("init", "-q");
    writeFileSync(join(dir, "a"), "one\n");
    const there = readdirSync(dir).toSorted();
    const text = "git add -A && echo x > AGENTS.md && echo added; sleep 6006";
    const command = await start(text, { width: "workspace and git" });
    await untilOutput(command, "added");
    process.kill(shellHostOf(command), "SIGKILL");
    const aside = ["AGENTS.md.made-confined"];
    expect((await command.done).setAside).toEqual(aside);
    await expect.poll(() => findNamed("sleep 6006")).toEqual([]);
    expect(readdirSync(dir).toSorted()).toEqual([...there, ...aside].toSorted());
    expect(git("diff", "--cached", "--name-only")).toContain("a\n");
    git("fsck", "--strict");
  });

  it("cleans up on TERM and on Ctrl+C before what holds it ends", async () => {
    const { start } = openConfined();
    const command = (signal: string, code: number) =>
      `trap 'echo cleaning; sleep 0.2; echo cleaned; exit ${code}' ${signal}; echo ready; while :; do sleep 0.05; done`;
    const ended = await start(command("TERM", 3));
    await untilOutput(ended, "ready");
    expect(await ended.kill("stopped")).toMatchObject({ exitCode: 3, outcome: "stopped", stillRunning: [] });
    const interrupted = await start(command("INT", 4));
    await untilOutput(interrupted, "ready");
    interrupted.write("\x03");
    const result = await interrupted.done;
    expect([result.exitCode, result.output]).toEqual([4, expect.stringContaining("cleaned")]);
  });

  it("has a terminal: it is told of a new size, is typed into and asked by its own name, and says that it waits", async () => {
    const { start } = openConfined();
    const sized = await start("trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done");
    await untilOutput(sized, "ready");
    sized.resize(99, 33);
    expect((await sized.done).output).toContain("33 99");
    const typed = await start(
      "read -p 'name? ' x; echo got $x; exec 3</dev/tty; read -u 3 -s y; echo and $y",
    );
    let waits = false;
    typed.subscribe((event) => {
      if (event.type === "waitingForInput") waits = event.waiting;
    });
    await until(() => waits);
    typed.write("ann\r");
    await untilOutput(typed, "got ann");
    typed.write("secret\r");
    expect((await typed.done).output).toContain("and secret");
  });

  it("takes everything with it when it ends, is stopped, is out of time, or the shell host dies", async () => {
    const { start, run } = openConfined();
    const tree = (name: string) =>
      `setsid ${name} & env -i setsid ${name} & (setsid ${name} &); echo ready; `;
    const gone = async (name: string) => until(() => true).then(async () => (await findNamed(name)).length);
    const own = await run(`${tree("sleep 6001")} sleep 0.1`);
    expect([own.exitCode, own.stillRunning, await gone("sleep 6001")]).toEqual([0, [], 0]);
    const stopped = await start(`${tree("sleep 6002")} trap '' TERM; sleep 6002; sleep 6002`);
    await untilOutput(stopped, "ready");
    expect(await stopped.kill("stopped")).toMatchObject({ outcome: "stopped", stillRunning: [] });
    expect(await gone("sleep 6002")).toBe(0);
    const late = await run(`${tree("sleep 6003")} sleep 6003`, { timeoutMs: 1_500 });
    expect([late.outcome, late.notConfined, await gone("sleep 6003")]).toEqual(["timeout", undefined, 0]);
    const orphan = await start(`${tree("sleep 6004")} sleep 6004`);
    await untilOutput(orphan, "ready");
    process.kill(shellHostOf(orphan), "SIGKILL");
    await orphan.done;
    await expect.poll(() => findNamed("sleep 6004")).toEqual([]);
    expect(isAlive(orphan.pid)).toBe(false);
  });

  it("is not started where the row of its execution says something else", async () => {
    const named = openShellFixture({
      sandbox: {
        ready: async () => ({ usable: true, program, tries: 1 }),
        home: "/nowhere",
        dataDir: "/nowhere",
        hidden: () => nothingMore,
      },
      assertPermit(_, width) {
        if (width !== "read-only") throw new Error(`the row says read-only, not ${width}`);
      },
    });
    for (const width of [undefined, "outside", "workspace"] as const)
      await expect(named.start("touch made", { width })).rejects.toMatchObject({ code: "not-permitted" });
    expect(existsSync(join(named.dir, "made"))).toBe(false);
    expect(await named.run("echo ran", { width: "read-only" })).toMatchObject({ output: "ran\n" });
  });
});

describe.skipIf(process.platform !== "linux")("without what holds it nothing of a command runs", () => {
  const tries = async (probed: Probe, more: Partial<RunOptions> = {}) => {
    const { run, dir, logDir } = openConfined(probed);
    const end = await run("touch made; echo ran", more).catch((error: Error) => error.message);
    expect(existsSync(join(dir, "made"))).toBe(false);
    expect(readdirSync(logDir).filter((name) => /mark|filter/.test(name))).toEqual([]);
    return typeof end === "string" ? end : end.notConfined;
  };
  const usable = (path: string): Probe => ({ usable: true, program: path, tries: 1 });

  it("where there is none", async () => {
    expect(await tries({ usable: false, why: "it is not installed" })).toMatch(
      /not started: it was to run confined.*it is not installed/,
    );
    const plain = openShellFixture();
    await expect(plain.start("touch made", { width: "workspace" })).rejects.toMatchObject({
      code: "not-confined",
    });
    expect(existsSync(join(plain.dir, "made"))).toBe(false);
  });

  it("where it went away since it was tried", async () => {
    expect(await tries(usable(join(tmpdir(), "no-such-bwrap")))).toMatch(
      /could not be confined \(.*no-such-bwrap/s,
    );
  });

  it.each([
    ["fails", "echo 'bwrap: no namespaces' >&2; exit 1", /could not be confined \(bwrap: no namespaces\)/],
    ["says that all went well and runs nothing", "exit 0", /could not be confined \(it said nothing\)/],
    ["says the command's own words", "echo ran; exit 0", /could not be confined \(ran\)/],
  ])("where it %s", async (_, script, why) => {
    expect(await tries(usable(makeStandIn(script)))).toMatch(why);
  });

  it("where it hangs until the time of the command is over", async () => {
    const stub = makeStandIn("exec sleep 6005");
    expect(await tries(usable(stub), { timeoutMs: 1_000 })).toMatch(
      /could not be confined \(it took too long\)/,
    );
    expect(await findNamed("sleep 6005")).toEqual([]);
  });

  it("where there is more to guard than can be", async () => {
    const { run, dir } = openConfined(usable("/usr/bin/bwrap"));
    const many = Array.from({ length: 60 }, (_, at) => join(dir, `r${at}`));
    await (await openShellFixture().run(`mkdir -p ${many.map((each) => `${each}/.git`).join(" ")}`)).exitCode;
    writeFileSync(join(dir, "here"), "");
    await expect(run("touch made", { width: "workspace" })).rejects.toMatchObject({
      code: "not-confined",
      message: expect.stringContaining("more than 50 places"),
    });
    expect(existsSync(join(dir, "made"))).toBe(false);
  });
});
