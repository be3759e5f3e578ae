/** How a start hands on what a person or a system asks of it, tried with real processes. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { root } from "./project.mjs";
import { passOn } from "./run.mjs";

const at = JSON.stringify(join(root, "scripts", "setup", "run.mjs"));

const counting = `
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => console.log(name));
    process.on("message", ({ type }) => console.log("message", type));
    process.on("disconnect", () => process.exit());
    process.stdin.on("data", () => process.exit(7));
    console.log("PATH", process.env.PATH);
    console.log("at", process.cwd());`;

/** A launcher whose child, unless a test has one of its own, counts the signals and messages it gets, and tells what it sees of PATH. */
function launch({ env = {}, child = counting } = {}) {
  const launcher = `import { become } from ${at};
    const program = ["-e", ${JSON.stringify(child)}];
    console.log("ended", JSON.stringify(await become(process.execPath, program, { channel: true })));`;
  const { npm_lifecycle_event: _event, ...rest } = process.env;
  const started = spawn(process.execPath, ["--input-type=module", "-e", launcher], {
    env: { ...rest, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said = "";
  started.stdout.on("data", (text) => {
    said += text;
  });
  const saying = (text) => vi.waitUntil(() => said.includes(text));
  return { process: started, saying, said: () => said };
}

describe.skipIf(process.platform === "win32")("a launcher", () => {
  it("passes each signal on once, where no terminal does, and tells the end and that it was asked for", async () => {
    const { process: launcher, saying, said } = launch();
    await saying("PATH");
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      launcher.kill(signal);
      await saying(signal);
    }
    launcher.stdin.end("end");
    await once(launcher, "close");
    expect(said()).toMatch(/SIGINT\nSIGTERM\nSIGHUP\nended {"code":7,"wasStopped":true}\n$/);
  });

  it("ends a program that said it has closed all it had and cannot end by itself, as one that ended well", async () => {
    const child = `process.on("SIGTERM", () => process.send({ type: "closed" }, () => { for (;;); })); process.on("message", () => {}); console.log("ready");`;
    const { process: launcher, saying, said } = launch({ child });
    await saying("ready");
    launcher.kill("SIGTERM");
    await once(launcher, "close");
    expect(said()).toContain('ended {"code":0,"wasStopped":true}');
  });

  it("gives the program the person's PATH, without what npm and set-up put before it", async () => {
    const bins = ["node_modules/.bin", "../node_modules/.bin"].map((folder) => join(root, folder));
    const own = "/home/me/bin:/usr/bin:/bin";
    const env = { PATH: [...bins, "/npm/node-gyp-bin", own].join(":") };
    const { process: launcher, saying, said } = launch({ env });
    await saying("PATH");
    launcher.stdin.end("end");
    await once(launcher, "close");
    expect(said()).toContain(`PATH ${own}\n`);
  });
});

it("starts the program where the person stands, also where npm went to the project's folder", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "countersign-person-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ours = join(root, "package.json");
  const started = [
    [{ npm_package_json: ours, INIT_CWD: folder }, folder],
    [{ npm_package_json: join(folder, "package.json"), INIT_CWD: folder }, process.cwd()],
    [{ npm_package_json: ours, INIT_CWD: join(folder, "gone") }, process.cwd()],
  ];
  for (const [env, expected] of started) {
    const { process: launcher, saying, said } = launch({ env });
    await saying("at ");
    launcher.stdin.end("end");
    await once(launcher, "close");
    expect(said()).toContain(`at ${expected}\n`);
  }
});

/** Ctrl+C as a terminal sends it: to every program in it. */
it.skipIf(process.platform === "win32")(
  "a terminal's Ctrl+C reaches the program once as a signal",
  async () => {
    const { spawn: openTerminal } = await import("node-pty");
    // Signal and message come by two ways, in either order; it ends when it has both.
    const child = `
    const isTold = { signal: false, message: false };
    const told = (way) => { isTold[way] = true; if (isTold.signal && isTold.message) process.exit(5); };
    process.on("SIGINT", () => { console.log("SIGINT"); told("signal"); });
    process.on("message", ({ type }) => { console.log("message", type); told("message"); });
    process.on("message", () => {}); console.log("ready");`;
    const launcher = `import { become } from ${at};
    await become(process.execPath, ["-e", ${JSON.stringify(child)}], { channel: true });
    console.log("over");`;
    const { npm_lifecycle_event: _event, ...env } = process.env;
    const terminal = openTerminal(process.execPath, ["--input-type=module", "-e", launcher], {
      env,
      cwd: root,
    });
    let said = "";
    terminal.onData((text) => {
      said += text;
    });
    await vi.waitUntil(() => said.includes("ready"));
    terminal.write("\u0003");
    await vi.waitUntil(() => said.includes("over"));
    expect(said.match(/SIGINT/g)).toHaveLength(1);
    expect(said.match(/message quit/g)).toHaveLength(1);
  },
);

it("asks a child on Windows over the channel, and kills it by no signal", async () => {
  const code = `process.on("message", ({ type }) => { console.log(type); process.disconnect(); });
    process.on("SIGTERM", () => process.exit(9)); process.on("message", () => {}); console.log("ready");`;
  const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  let said = "";
  child.stdout.on("data", (text) => {
    said += text;
  });
  await vi.waitUntil(() => said.includes("ready"));
  passOn("SIGTERM", child, "win32");
  const [ended, signal] = await once(child, "close");
  expect([said.trim().split("\n"), ended, signal]).toEqual([["ready", "quit"], 0, null]);
});

describe("what cannot be started", () => {
  const start = (folder, call) => {
    const file = JSON.stringify(join(folder, "scripts", "setup", "run.mjs"));
    const code = `import { become, run, runQuietly } from ${file};
      await (${call}).then(console.log, ({ name, message }) => console.log(name, message));`;
    return spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" }).stdout;
  };

  it.each([
    [`run("no-such-program", [])`],
    [`runQuietly({ program: "no-such-program", args: [] })`],
    [`become("no-such-program", [])`],
  ])("is named in one sentence: %s", (call) => {
    expect(start(root, call)).toBe(
      "SetupError no-such-program was not found. Install it, then run the same command again.\n",
    );
  });

  it("is not said of a program whose own scripts did not find one", () => {
    expect(start(root, `run(process.execPath, ["-e", "process.exitCode = 127"])`)).toBe("127\n");
  });

  it("is not the program where the project's folder went away meanwhile", () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(join(root, "scripts", "setup"), join(folder, "scripts", "setup"), { recursive: true });
    const away = `import("node:fs").then(({ rmSync }) => rmSync(${JSON.stringify(folder)}, { recursive: true }))`;
    expect(start(folder, `${away}.then(() => run("git", ["--version"]))`)).toBe(
      `SetupError The folder ${folder} is gone. Get the project again, then run the same command in it.\n`,
    );
  });
});
