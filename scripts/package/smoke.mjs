/**
 * Starts an installed app as a person would, and ends it: waits until its window is shown, has it run a command that was
 * approved before it started, asks it to quit, and fails unless it ends with 0 and leaves no process behind.
 * Usage: node scripts/package/smoke.mjs PROGRAM [ARGUMENT …]
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHost } from "../../fault/host-process.ts";
import { newCommandId } from "../../src/main/base/command-id.ts";

/** A hang is a failure too, with what the app said so far. */
const hangGuardMs = 120_000;
const [program, ...programArgs] = process.argv.slice(2);
const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "countersign-smoke-")));
const folders = { dataDir: join(folder, "data"), workspace: join(folder, "work") };
mkdirSync(folders.workspace);

await prepare();
await run();

/** A host of this project leaves a thread whose command is approved and not started: the next host starts it. */
async function prepare() {
  const host = await startHost(folders, { COUNTERSIGN_KILL_AT: "approval-decided" });
  const { workspace } = folders;
  const thread = await host.client.call("threads.create", { commandId: newCommandId(), workspace });
  const text = "run echo installed > made.txt";
  await host.client.call("threads.send", { commandId: newCommandId(), threadId: thread.id, text });
  await host.until((on) => on.pending().length === 1, "the command asks");
  // It is killed as soon as the decision is on disk, so no answer comes.
  await Promise.allSettled([host.decide(host.pending()[0], { type: "approve" }), host.exited]);
}

async function run() {
  const args = [...programArgs, "--data-dir", folders.dataDir, "--workspace", folders.workspace];
  const app = spawn(program, args, { stdio: ["ignore", "pipe", "pipe", "ipc"] });
  let said = "";
  for (const stream of [app.stdout, app.stderr]) stream.on("data", (bytes) => (said += bytes));
  const ended = once(app, "exit");
  const guard = setTimeout(() => fail(app, `nothing came for ${hangGuardMs} ms`, said), hangGuardMs);
  let isAskedToQuit = false;
  const early = ended.then(([code, signal]) => {
    if (!isAskedToQuit) fail(app, `it ended early with ${signal ?? code}`, said);
  });
  await Promise.race([windowShown(app), early]);
  console.log("window shown");
  await Promise.race([made(join(folders.workspace, "made.txt")), early]);
  console.log("command ran");
  // On Windows a signal would end it at once; there and elsewhere it hears the launcher's word.
  isAskedToQuit = true;
  app.send({ type: "quit" });
  const [code, signal] = await ended;
  clearTimeout(guard);
  if (code !== 0) fail(app, `it ended with ${signal ?? code}`, said);
  const left = processesOf(folder);
  if (left.length > 0) fail(app, `it left processes behind:\n${left.join("\n")}`, said);
  console.log("ended with 0, no process left");
  process.exit(0);
}

function windowShown(app) {
  return new Promise((resolve) => {
    app.on("message", (message) => message?.type === "window-shown" && resolve());
  });
}

function made(file) {
  return new Promise((resolve) => {
    const look = () => existsSync(file) && readFileSync(file, "utf8").includes("installed") && resolve();
    watch(folders.workspace, look);
    look();
  });
}

/** The processes, but this one, whose command line names the folder. */
function processesOf(path) {
  const list =
    process.platform === "win32"
      ? execFileSync("powershell", [
          "-NoProfile",
          "-Command",
          "Get-CimInstance Win32_Process | % CommandLine",
        ])
      : execFileSync("ps", ["-A", "-o", "args="]);
  return list
    .toString()
    .split("\n")
    .filter((line) => line.includes(path));
}

function fail(app, why, said) {
  app.kill("SIGKILL");
  console.error(`The smoke test failed: ${why}.\nIt said:\n${said}`);
  process.exit(1);
}
