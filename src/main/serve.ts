/** Browser mode: the same host behind a door on loopback, for machines without Electron and for tests. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import { defaultDataDir } from "./data-dir.ts";
import { createHost } from "./host/create-host.ts";
import { createDoor } from "./serve/door.ts";
import { loadStaticFiles } from "./serve/static-files.ts";

const usage = `Usage: npm run serve -- [options]
  --data-dir DIR    where threads, approvals and settings live (default: the platform's application-data folder)
  --workspace DIR   the folder new threads work in, so that no dialog is needed
  --port N          the loopback port; 0 takes any free one (default 0)
  --no-open         do not open the browser
  --json            print one line {"url": …} when ready`;

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
  const { values } = parseArgs({ options });
  if (values.help) return void process.stdout.write(`${usage}\n`);
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port must be a number from 0 to 65535, not ${values.port}.`);
  const dataDir = resolve(values["data-dir"] ?? defaultDataDir(process.platform, process.env, homedir()));
  const host = await createHost({
    dataDir,
    mode: "browser",
    version: packageJson.version,
    workspace: values.workspace === undefined ? undefined : resolve(values.workspace),
  });
  const door = await createDoor({
    files: await loadStaticFiles(pageFolder),
    port,
    onTransport: (transport) => host.connect(transport),
  }).catch(async (error: unknown) => {
    await host.close();
    throw error;
  });
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    door
      .close()
      .then(() => host.close())
      .then(() => process.exit(0), fail);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  // A launcher that was killed outright cannot forward a signal; its end is seen by the channel it held.
  process.on("disconnect", stop);
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ url: door.url })}\n`
      : `Countersign is at ${door.url}\nStop it with Ctrl+C.\n`,
  );
  if (!values["no-open"]) await openBrowser(door.url);
}

async function openBrowser(url: string): Promise<void> {
  const { default: open } = await import("open");
  const child = await open(url);
  child.on("error", () =>
    process.stderr.write("The browser could not be opened. Open the address above yourself.\n"),
  );
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

serve().catch(fail);
