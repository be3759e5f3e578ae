/** The real installer of Electron against servers that refuse, break off, send rubbish or stand still. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { root } from "./project.mjs";

let folder;
let server;

/** A project with our scripts and everything that is installed, but the program of Electron. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign dòwnload "));
  cpSync(join(root, "scripts", "setup"), join(folder, "scripts", "setup"), { recursive: true });
  const modules = join(root, "node_modules");
  mkdirSync(join(folder, "node_modules", "electron"), { recursive: true });
  for (const name of readdirSync(modules).filter((name) => name !== "electron"))
    symlinkSync(join(modules, name), join(folder, "node_modules", name), "junction");
  for (const name of ["install.js", "package.json", "checksums.json"])
    cpSync(join(modules, "electron", name), join(folder, "node_modules", "electron", name));
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Serves every request alike; returns the address and how many came. */
async function serve(answer) {
  let requests = 0;
  server = createServer((request, response) => {
    requests++;
    answer(response, request);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { mirror: `http://127.0.0.1:${server.address().port}/`, count: () => requests };
}

async function ensure(mirror, options = {}) {
  const script = JSON.stringify(join(folder, "scripts", "setup", "electron-binary.mjs"));
  const source = `const { ensureElectron } = await import(${script});
    console.log(JSON.stringify(await ensureElectron(${JSON.stringify(options)})));`;
  const { ELECTRON_OVERRIDE_DIST_PATH: _other, ...env } = process.env;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
    env: { ...env, ELECTRON_MIRROR: mirror, electron_config_cache: join(folder, "cache") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { ...JSON.parse(out), said };
}

const bytes = Buffer.alloc(50_000, "x");

it.each([
  ["answers that it has nothing", (response) => response.writeHead(404).end(), /404/],
  [
    "breaks off",
    (response) => {
      response.writeHead(200, { "Content-Length": 1_000_000 });
      response.write(bytes, () => response.destroy());
    },
    /terminated|closed|SOCKET/i,
  ],
  ["sends something else", (response) => response.writeHead(200).end(bytes), /checksum/i],
])("says why in one sentence when the server %s, and remembers it", async (_what, answer, why) => {
  const { mirror, count } = await serve(answer);
  const { path, problem, said } = await ensure(mirror);
  expect(path).toBeUndefined();
  expect(problem).toMatch(/^Electron could not be downloaded on [^\n]*npx install-electron\)$/);
  expect(problem).toMatch(why);
  expect(said).toContain("downloading Electron");
  const before = count();
  const again = await ensure(mirror);
  expect([again.problem, count()]).toEqual([problem, before]);
  await ensure(mirror, { force: true });
  expect(count()).toBeGreaterThan(before);
});

it("says so when there is no network", async () => {
  const { mirror } = await serve(() => {});
  server.close();
  await once(server, "close");
  expect((await ensure(mirror)).problem).toContain("its server could not be reached");
});

it("gives up a download that stands still, and says for how long it did", async () => {
  const { mirror } = await serve((response) => {
    response.writeHead(200, { "Content-Length": 1_000_000 });
    response.write(bytes);
  });
  const { problem } = await ensure(mirror, { stallMs: 2_000 });
  expect(problem).toContain("nothing arrived for 2 s");
});
