/** How a start hands on what a person or a system asks of it, tried with real processes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { root } from "./project.mjs";
import { passOn } from "./run.mjs";

const at = JSON.stringify(join(root, "scripts", "setup", "run.mjs"));

/** A launcher whose child counts the signals and messages it gets, and tells what it sees of PATH. */
function launch({ env = {} } = {}) {
  const child = `
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => console.log(name));
    process.on("message", ({ type }) => console.log("message", type));
    process.on("disconnect", () => process.exit());
    process.stdin.on("data", () => process.exit(7));
    console.log("PATH", process.env.PATH);`;
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
    console.log("ready");`;
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
    process.on("SIGTERM", () => process.exit(9)); console.log("ready");`;
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
