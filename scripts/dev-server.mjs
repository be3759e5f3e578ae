/**
 * Development in the browser: Vite serves the page with hot reload, the host runs from the sources and restarts when
 * they change. Vite passes the page's WebSocket on to whichever host runs now. Only here the page has no CSP.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createServer } from "vite";
import config from "../electron.vite.config.ts";
import { createAccess } from "../src/main/serve/access.ts";
import { onRequestLine } from "../src/main/serve/request-lines.ts";
import { exchangeAddress } from "../src/main/serve/testing/exchange-address.ts";
import { createDevWire } from "./dev-wire.mjs";
import { cacheDir, report, root } from "./setup/project.mjs";

const access = createAccess();
const wire = createDevWire(access);
const server = await createServer({
  ...config.renderer,
  plugins: [...config.renderer.plugins, wire.plugin],
  configFile: false,
  server: { host: "127.0.0.1", port: 5173, proxy: { "/wire": wire.proxy } },
});
await server.listen();
const { port } = server.httpServer.address();
wire.serveAt(port);

const host = startHost(process.argv.slice(2));
createInterface({ input: host.stdout }).on("line", async (line) => {
  const url = readUrl(line);
  if (url === undefined) return console.log(line);
  const isFirst = wire.connectTo(url.origin, await exchangeAddress(url.href));
  if (!isFirst) return report("the host restarted");
  printAddress();
  await onRequestLine(printAddress);
});

function printAddress() {
  const code = access.issueCode({ lifetimeMs: 10 * 60_000, isExposed: false });
  report(`open http://127.0.0.1:${port}/#code=${code} (works once; press Enter for another)`);
}

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
