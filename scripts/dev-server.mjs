/**
 * Development in the browser: Vite serves the page with hot reload, the host runs from the sources and restarts when
 * they change. Vite passes the page's WebSocket on to whichever host runs now. Only here the page has no CSP.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createServer } from "vite";
import config from "../electron.vite.config.ts";
import { createDevWire } from "./dev-wire.mjs";
import { cacheDir, report, root } from "./setup/project.mjs";

const wire = createDevWire();
const server = await createServer({
  ...config.renderer,
  configFile: false,
  server: { host: "127.0.0.1", port: 5173, proxy: { "/wire": wire.proxy } },
});
await server.listen();
const origin = `http://127.0.0.1:${server.httpServer.address().port}`;
wire.trust(origin);

const host = startHost(process.argv.slice(2));
createInterface({ input: host.stdout }).on("line", (line) => {
  const url = readUrl(line);
  if (url === undefined) return console.log(line);
  const isFirst = wire.connectTo(url);
  report(isFirst ? `open ${origin}/${url.hash}` : "the host restarted");
});

const stop = () => host.kill("SIGTERM");
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
if (process.connected) process.once("disconnect", stop);
host.on("exit", async (code) => {
  await server.close();
  process.exit(code ?? 0);
});

function startHost(args) {
  const own = args.includes("--data-dir") ? [] : ["--data-dir", join(cacheDir, "dev-data")];
  const serve = join(root, "src", "main", "serve.ts");
  return spawn(
    process.execPath,
    ["--watch", "--watch-preserve-output", serve, "--port", "0", "--no-open", "--json", ...own, ...args],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
}

function readUrl(line) {
  try {
    return new URL(JSON.parse(line).url);
  } catch {
    return undefined;
  }
}
