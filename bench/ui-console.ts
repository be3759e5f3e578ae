/** Starts the built host and opens its console in Chromium, as a person in browser mode does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Browser, chromium, type Page } from "@playwright/test";

const root = join(import.meta.dirname, "..");
export const rendererDir = join(root, "out", "renderer");
const server = join(root, "out", "main", "serve.js");

/** The built host on a data directory, until `stop`. */
export type ServedConsole = {
  /** An address that lets one page in. */
  newAddress(): Promise<string>;
  stop(): Promise<void>;
};

/** @throws Error that says what to do when the console was not built. */
export function requireBuild(): void {
  const missing = [join(rendererDir, "index.html"), server].filter((path) => !existsSync(path));
  if (missing.length > 0)
    throw new Error(`The console is not built: ${missing.join(" and ")} missing. Run: npm run build`);
}

/** @throws Error that says what to do when there is no Chromium. */
export async function launchChromium(): Promise<Browser> {
  const script = join(root, "scripts", "setup", "chromium.mjs");
  const { findChromium } = (await import(script)) as { findChromium(): string | undefined };
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error("No Chromium was found. Install Chromium or Chrome, or set CHROMIUM_PATH to one.");
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({
    executablePath,
    args: [...sandbox, "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
}

/** @throws Error with the host's own words when it ends before it is ready. */
export async function serveConsole(dataDir: string, workspace: string): Promise<ServedConsole> {
  const args = ["--data-dir", dataDir, "--workspace", workspace, "--port", "0", "--no-open", "--json"];
  const host = spawn(process.execPath, [server, ...args], { stdio: "pipe" });
  let said = "";
  host.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const gone = once(host, "close");
  const lines = createInterface({ input: host.stdout });
  const nextAddress = async () => {
    const [line] = (await once(lines, "line")) as [string];
    return (JSON.parse(line) as { url: string }).url;
  };
  await Promise.race([
    nextAddress(),
    gone.then(() => Promise.reject(new Error(`The host ended before it was ready:\n${said}`))),
  ]);
  return {
    newAddress() {
      const address = nextAddress();
      host.stdin.write("\n");
      return address;
    },
    async stop() {
      host.kill("SIGTERM");
      await gone;
    },
  };
}

/** A page of its own profile, with the console ready in it. */
export async function openConsole(browser: Browser, served: ServedConsole): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 840 } });
  const page = await context.newPage();
  await page.goto(await served.newAddress());
  await page.getByRole("heading", { name: "Approvals" }).waitFor();
  return page;
}
