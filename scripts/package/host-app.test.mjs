/** The app for this machine: its main path with nothing but what ships, and the packages that are made of it. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import asar from "@electron/asar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startHost } from "../../fault/host-process.ts";
import { createScriptedModel, script } from "../../src/main/agents/acp/testing/scripted-model.ts";
import { newCommandId } from "../../src/main/base/command-id.ts";
import { root } from "../setup/project.mjs";
import { packedPaths } from "./after-pack.mjs";
import { buildDir } from "./clean-build.mjs";
import { packageConfig } from "./config.mjs";
import { makeAppImage } from "./linux-packages.mjs";
import { ownPtyNode, runBuilder } from "./pack.mjs";
import { hostTarget } from "./targets.mjs";
import { packFromStub, workDir } from "./testing/pack-from-stub.mjs";

const target = hostTarget();
const output = join(workDir, "host");
let scratch;
let app;

beforeAll(async () => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "countersign-package-")));
  app = await packFromStub(target, output);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A page of our own, for the thread that reads pages. */
async function servePage() {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      "<html><body><article><h1>Read aside</h1><p>A page worth reading.</p></article></body></html>",
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

async function approveAll(host, threadId) {
  const isDone = () => host.threads.get(threadId)?.status === "done";
  while (!isDone()) {
    await host.until(() => isDone() || host.pending().length > 0, "the thread asks or is done");
    const asked = host.pending();
    for (const approval of asked) await host.decide(approval, { type: "approve" });
    const decided = () => asked.every(({ id }) => host.approvals.get(id)?.status !== "pending");
    await host.until(decided, "the decisions arrive");
  }
}

/** For the host to run first: at its end it writes which of Node's modules it loaded, and how many functions it made of text. */
const notesWhatIsLoaded = `
  let functions = 0;
  globalThis.Function = new Proxy(Function, {
    construct(target, words) {
      functions += 1;
      return Reflect.construct(target, words);
    },
  });
  process.on("exit", () => {
    const modules = process.moduleLoadList.flatMap((name) => name.split("NativeModule ")[1] ?? []);
    require("node:fs").writeFileSync(process.env.LOADED, JSON.stringify({ modules, functions }));
  });`;

describe("what ships, under plain Node", () => {
  const inside = () => join(scratch, "app");
  const noting = () => join(scratch, "noting.cjs");
  const loaded = () => join(scratch, "loaded.json");
  let host;
  let workspace;
  let start;

  beforeAll(async () => {
    asar.extractAll(join(packedPaths(app, target.platform).resources, "app.asar"), inside());
    workspace = join(scratch, "work");
    mkdirSync(workspace);
    const folders = { dataDir: join(scratch, "data"), workspace };
    writeFileSync(noting(), notesWhatIsLoaded);
    start = (env) => startHost(folders, env, join(inside(), "out", "main", "serve.js"));
    host = await start({ NODE_OPTIONS: `--require=${noting()}`, LOADED: loaded() });
  });
  afterAll(() => host?.stop());

  async function runThread(text) {
    const { id } = await host.client.call("threads.create", { commandId: newCommandId(), workspace });
    await host.client.call("threads.send", { commandId: newCommandId(), threadId: id, text });
    await approveAll(host, id);
    return id;
  }

  it("runs a thread with a command in a terminal, a page in a worker, and a check of its databases", async () => {
    expect(readdirSync(join(inside(), "node_modules")).sort()).toEqual(["better-sqlite3", "node-pty"]);
    const page = await servePage();
    try {
      await runThread(`run echo packed > made.txt\n\nfetch ${page.url}`);
    } finally {
      page.close();
    }
    expect(readFileSync(join(workspace, "made.txt"), "utf8").trim()).toBe("packed");
    const seen = [];
    for await (const item of host.client.watch("host.checkData", {})) seen.push(item);
    expect(seen.at(-1).checks.map(({ state }) => state)).toEqual(["sound", "sound"]);
  });

  it("reads no certificates while nobody asks for any, and makes no functions of text", async () => {
    await host.stop();
    const { modules, functions } = JSON.parse(readFileSync(loaded(), "utf8"));
    expect(modules).toContain("http");
    expect(modules).not.toContain("tls");
    expect(functions).toBe(0);
    host = await start({});
  });

  const providers = ["openai", "openai-compatible", "anthropic", "google", "ollama"];

  it("speaks with every kind of server of models, of whose clients it holds only what it needs", async () => {
    const skill = join(workspace, ".agents", "skills", "tidy");
    mkdirSync(skill, { recursive: true });
    writeFileSync(join(skill, "SKILL.md"), '---\nname: tidy\ndescription: "For tidying: up."\n---\nTidy.\n');
    const { digest } = await host.client.call("workspaces.review", { path: workspace });
    await host.client.call("workspaces.setTrust", { path: workspace, trusted: true, digest });
    const server = createScriptedModel();
    await server.start();
    try {
      for (const provider of providers) {
        const baseUrl = provider.startsWith("openai") ? `${server.url}/v1` : server.url;
        await host.client.call("models.setKey", { provider, key: "a-key-of-nobody" });
        await host.client.call("models.setDefault", { model: { provider, model: "scripted", baseUrl } });
        const command = `echo ${provider} >> spoke.txt`;
        await runThread(script([{ tool: "execute", args: { command } }]));
      }
      expect(JSON.stringify(server.getRequests())).toContain("For tidying: up.");
    } finally {
      await server.stop();
    }
    expect(readFileSync(join(workspace, "spoke.txt"), "utf8").trim().split("\n")).toEqual(providers);
  });
});

let config;
/** One for all packages, as an installer run has it: it has to bear being used again. */
function linuxConfig() {
  config ??= packageConfig("linux", { build: buildDir, output, ptyNode: ownPtyNode(target) });
  return config;
}

const hasDpkg = process.platform === "linux" && existsSync("/usr/bin/dpkg-deb");
if (!hasDpkg) console.log("No .deb is made in this run: dpkg-deb is missing on this machine.");

describe.skipIf(!hasDpkg)("the .deb", () => {
  let deb;
  const listed = () => execFileSync("dpkg-deb", ["--contents", deb], { encoding: "utf8" });
  const field = (name) => execFileSync("dpkg-deb", ["--field", deb, name], { encoding: "utf8" }).trim();

  beforeAll(async () => {
    process.env.CUSTOM_FPM_PATH = join(import.meta.dirname, "testing", "fpm-stand-in.mjs");
    [deb] = (await runBuilder([target], ["deb"], linuxConfig(), app)).filter((file) => file.endsWith(".deb"));
    delete process.env.CUSTOM_FPM_PATH;
  });

  it("is named unsigned and says who made it, what it needs and what it is", () => {
    expect(deb).toMatch(/Countersign-[\d.]+-linux-\w+-unsigned\.deb$/);
    expect(field("Package")).toBe("countersign");
    expect(field("Maintainer")).toMatch(/^Countersign contributors </);
    expect(field("Depends")).toContain("libgtk-3-0");
    expect(field("Description")).toContain("one approval queue");
  });

  it("holds the program, its sandbox, icons, a menu entry and the profile of AppArmor, all owned by root", () => {
    const lines = listed().split("\n").filter(Boolean);
    for (const line of lines) expect(line).toContain("root/root");
    for (const path of [
      "/opt/Countersign/countersign",
      "/opt/Countersign/chrome-sandbox",
      "/opt/Countersign/resources/app.asar",
      "/opt/Countersign/resources/apparmor-profile",
      "/usr/share/applications/countersign.desktop",
      "/usr/share/icons/hicolor/16x16/apps/countersign.png",
      "/usr/share/icons/hicolor/512x512/apps/countersign.png",
    ])
      expect(
        lines.some((line) => line.endsWith(`.${path}`)),
        path,
      ).toBe(true);
  });

  it("starts with the sandbox on, and lets it be made: by a profile, else by a program that is setuid root", () => {
    const files = join(scratch, "deb");
    execFileSync("dpkg-deb", ["--raw-extract", deb, files]);
    const entry = readFileSync(join(files, "usr/share/applications/countersign.desktop"), "utf8");
    expect(entry).toContain("Exec=/opt/Countersign/countersign %U");
    expect(entry).toContain("StartupWMClass=countersign");
    const profile = readFileSync(join(files, "opt/Countersign/resources/apparmor-profile"), "utf8");
    expect(profile).toMatch(/profile "countersign" "\/opt\/Countersign\/countersign" flags=\(unconfined\)/);
    expect(profile).toMatch(/^\s*userns,$/m);
    const install = readFileSync(join(files, "DEBIAN/postinst"), "utf8");
    expect(install).toContain("chmod 4755 '/opt/Countersign/chrome-sandbox'");
    expect(install).toContain("/etc/apparmor.d/countersign");
    expect(readFileSync(join(files, "DEBIAN/postrm"), "utf8")).toContain("/etc/apparmor.d/countersign");
    for (const script of ["postinst", "postrm"]) execFileSync("bash", ["-n", join(files, "DEBIAN", script)]);
    for (const text of [entry, install]) expect(text).not.toContain("no-sandbox");
  });
});

/** It takes as long as all the rest, so the daily run leaves it out. */
const isFull = process.env.COUNTERSIGN_PACK === "all";
const hasSquashfs = isFull && process.platform === "linux" && existsSync("/usr/bin/mksquashfs");
if (!isFull) console.log("No AppImage is made in this run. npm run test:pack makes one.");
else if (!hasSquashfs) console.log("No AppImage is made in this run: mksquashfs is missing on this machine.");

/** The folder of tools electron-builder downloads, with this machine's mksquashfs and a runtime that is none. */
function appImageTools() {
  const tools = join(scratch, "appimage-tools");
  mkdirSync(join(tools, "runtimes"), { recursive: true });
  for (const arch of ["x64", "arm64"]) {
    mkdirSync(join(tools, "lib", arch), { recursive: true });
    cpSync("/bin/true", join(tools, "runtimes", `runtime-${arch}`));
  }
  cpSync("/usr/bin/mksquashfs", join(tools, "mksquashfs"));
  cpSync("/bin/true", join(tools, "desktop-file-validate"));
  return tools;
}

/** A program that says how it was started, in the place of the app's. */
function putProgram(file, name = "started") {
  writeFileSync(file, `#!/bin/sh\necho "${name} $*"\n`, { mode: 0o755 });
}

/** Settings of the system for user namespaces, as files. */
function putSettings(folder, settings) {
  for (const [name, value] of Object.entries(settings)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `${value}\n`);
  }
  return folder;
}

describe.skipIf(!hasSquashfs)("the AppImage", () => {
  it("starts the app with its sandbox, although the start script around it would not", async () => {
    process.env.APPIMAGE_TOOLS_PATH = appImageTools();
    const [image] = await makeAppImage(target, linuxConfig(), app);
    delete process.env.APPIMAGE_TOOLS_PATH;
    expect(image).toMatch(/-unsigned\.AppImage$/);
    const files = join(scratch, "image");
    const runtime = readFileSync("/bin/true").length;
    execFileSync("unsquashfs", ["-quiet", "-no-progress", "-offset", String(runtime), "-dest", files, image]);
    expect(readFileSync(join(files, "countersign.desktop"), "utf8")).not.toContain("no-sandbox");
    putProgram(join(files, "countersign-program"));
    // As on a system where a test for user namespaces fails.
    const tools = mkdtempSync(join(scratch, "tools-"));
    writeFileSync(join(tools, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const settings = putSettings(mkdtempSync(join(scratch, "settings-")), {});
    const env = { PATH: `${tools}:${process.env.PATH}`, COUNTERSIGN_PROC_SYS: settings };
    const { stdout } = spawnSync(join(files, "AppRun"), ["--workspace", "a b"], { env, encoding: "utf8" });
    expect(stdout).toBe("started --workspace a b\n");
  });
});

describe.skipIf(process.platform === "win32")("the start of an AppImage", () => {
  function start(settings, args) {
    const folder = mkdtempSync(join(scratch, "start-"));
    cpSync(join(root, "packaging", "appimage-start"), join(folder, "countersign"));
    putProgram(join(folder, "countersign-program"));
    const env = { PATH: process.env.PATH, COUNTERSIGN_PROC_SYS: putSettings(folder, settings) };
    return spawnSync(join(folder, "countersign"), args, { env, encoding: "utf8" });
  }

  it("hands its arguments on, but never the one that switches the sandbox off", () => {
    for (const settings of [{}, { "kernel/apparmor_restrict_unprivileged_userns": "0" }])
      expect(start(settings, ["--no-sandbox", "--workspace", "a b"]).stdout).toBe(
        "started --workspace a b\n",
      );
  });

  it.each([
    ["kernel/apparmor_restrict_unprivileged_userns", "1"],
    ["kernel/unprivileged_userns_clone", "0"],
    ["user/max_user_namespaces", "0"],
  ])("ends with a reason and a way out where %s is %s", (name, value) => {
    const { status, stdout, stderr } = start({ [name]: value }, ["--no-sandbox"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(name);
    expect(stderr).toContain(".deb");
  });
});
