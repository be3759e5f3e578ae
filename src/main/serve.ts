/** Browser mode: the same host behind a door on loopback, for machines without Electron and for tests. */
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { messageOf } from "../shared/message-of.ts";
import { dataDirOf, folderOf, readOptions } from "./base/read-options.ts";
import { createHost } from "./host/create-host.ts";
import { warmUpAfterMs } from "./host/warm-up.ts";
import { createAccess } from "./serve/access.ts";
import { announce } from "./serve/announce.ts";
import { createDoor } from "./serve/door.ts";
import { openBrowser } from "./serve/open-browser.ts";
import { onRequestLine } from "./serve/request-lines.ts";
import { loadStaticFiles } from "./serve/static-files.ts";

const usage = `Usage: npm run serve -- [options]
  --data-dir DIR    where threads, approvals and settings live (default: the platform's application-data folder)
  --workspace DIR   the folder new threads work in, so that no dialog is needed
  --port N          the loopback port; 0 takes any free one (default 0)
  --no-open         do not open the browser
  --json            print one line {"url": …} when ready, and one more for each line on standard input

Each printed address lets one page in, within ten minutes. Press Enter for another.`;

const options = {
  "data-dir": { type: "string" },
  workspace: { type: "string" },
  port: { type: "string", default: "0" },
  "no-open": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/** Where the built page lies beside the built host. */
const pageFolder = join(import.meta.dirname, "..", "renderer");

async function serve(): Promise<void> {
  const { values } = readOptions({ args: process.argv.slice(2), options });
  if (values.help) return void process.stdout.write(`${usage}\n`);
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`--port must be a number from 0 to 65535, not "${values.port}".`);
  const dataDir = dataDirOf(values["data-dir"]);
  const host = await createHost({
    dataDir,
    mode: "browser",
    version: packageJson.version,
    workspace: folderOf("--workspace", values.workspace),
    warmUpAfterMs,
  });
  const access = createAccess();
  const door = await createDoor({
    files: await loadStaticFiles(pageFolder),
    port,
    access,
    onTransport: (transport) => host.connect(transport),
  }).catch(async (error: unknown) => {
    await host.close();
    throw error;
  });
  stopWhenAsked(() => door.close().then(() => host.close()));
  await announce({
    door,
    access,
    warnings: host.info.warnings,
    json: values.json,
    stdout: process.stdout,
    stderr: process.stderr,
    onRequestLine,
    openBrowser: values["no-open"] ? undefined : openBrowser,
  });
}

/** Once, however often and in whichever way it is asked for. */
function stopWhenAsked(close: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    close().then(end, fail);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  // Where there are no signals, the launcher asks over its channel.
  process.on("message", (message) => isQuit(message) && stop());
  // A launcher that was killed outright cannot ask; its end is seen by the channel it held.
  process.on("disconnect", stop);
}

/** The launcher hears of it first, since this process may wait for its own threads without an end. */
function end(): void {
  const exit = () => process.exit(0);
  if (process.connected) process.send?.({ type: "closed" }, exit);
  else exit();
}

function isQuit(message: unknown): boolean {
  return typeof message === "object" && message !== null && "type" in message && message.type === "quit";
}

function fail(error: unknown): never {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}

// A reader that went away, as `head` does, is no reason to end what the agents do.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
serve().catch(fail);
