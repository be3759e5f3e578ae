/** The `app` of every spec: a real host on fresh folders behind the project's door, restartable and killable. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect, type Page, type TestInfo } from "@playwright/test";
import { isLongRun, whyShort } from "../../src/main/base/testing/long-run.ts";
import { findBroken } from "./axe.ts";
import { startInBrowser } from "./browser-door.ts";
import { type DoorOptions, type RunningApp, whyNoElectron } from "./door.ts";
import { startInElectron } from "./electron-door.ts";

export class App {
  readonly workspace: string;
  readonly dataDir: string;
  /** Uncaught errors and content-security violations of every page so far; a spec fails when there are any. */
  readonly problems: string[] = [];
  readonly #launch: (args: string[]) => Promise<RunningApp>;
  readonly #watched = new WeakSet<Page>();
  #running: RunningApp | undefined;

  constructor(folder: string, launch: (args: string[]) => Promise<RunningApp>) {
    this.workspace = join(folder, "workspace");
    this.dataDir = join(folder, "data");
    this.#launch = launch;
  }

  /** The page that shows the console now. In Electron a restart brings a new one. */
  get page(): Page {
    return this.#now().page;
  }

  /** The process id of the host. */
  get pid(): number {
    return this.#now().pid;
  }

  get log(): string {
    return this.#running?.log() ?? "";
  }

  async start(): Promise<void> {
    await mkdir(this.workspace, { recursive: true });
    await this.#switchSandboxOff();
    this.#running = await this.#launch(["--data-dir", this.dataDir, "--workspace", this.workspace]);
    this.#watch(this.#running.page);
  }

  /** What is looked at here is the same with and without it, and it is not there on every machine. */
  async #switchSandboxOff(): Promise<void> {
    await mkdir(this.dataDir, { recursive: true, mode: 0o700 });
    const text = JSON.stringify({ sandbox: "off" });
    // What a person saved in an earlier start stays.
    await writeFile(join(this.dataDir, "settings.json"), text, { flag: "wx", mode: 0o600 }).catch(
      () => undefined,
    );
  }

  /** A second page on the same host, as a person opens it who duplicates the tab. */
  async openAnother(): Promise<Page> {
    const [other] = await Promise.all([
      this.page.context().waitForEvent("page"),
      this.page.evaluate(() => void window.open(location.href)),
    ]);
    this.#watch(other);
    return other;
  }

  /** Ends the app in an orderly way. */
  async stop(): Promise<void> {
    await this.#running?.stop();
  }

  /** Kills the host with SIGKILL; `start()` brings it back on the same folders. */
  async kill(): Promise<void> {
    await this.#running?.kill();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** A file of the workspace, or undefined when it is not there. */
  async read(path: string): Promise<string | undefined> {
    return readFile(join(this.workspace, path), "utf8").catch(() => undefined);
  }

  /** How often a command ran that appends one line to this file of the workspace. */
  async runs(path: string): Promise<number> {
    return ((await this.read(path)) ?? "").split("\n").filter((line) => line !== "").length;
  }

  /** Fails with the names of the broken rules and where they are broken. */
  async expectAccessible(): Promise<void> {
    expect(await findBroken(this.page)).toEqual([]);
  }

  #now(): RunningApp {
    if (this.#running === undefined) throw new Error("The app was not started.");
    return this.#running;
  }

  #watch(page: Page): void {
    if (this.#watched.has(page)) return;
    this.#watched.add(page);
    page.on("pageerror", (error) => this.problems.push(error.stack || String(error)));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted ?(Types|HTML|Script)/i.test(message.text()))
        this.problems.push(message.text());
    });
  }
}

type WorkerFixtures = { openPage: () => Promise<Page> };

export const test = base.extend<DoorOptions & { app: App }, WorkerFixtures>({
  door: ["browser", { option: true }],
  hostEnv: [{}, { option: true }],
  hostArgs: [[], { option: true }],

  // Chromium starts with the first page that is wanted: the Electron project never needs it.
  openPage: [
    async ({ playwright }, use) => {
      let browser: ReturnType<typeof playwright.chromium.launch> | undefined;
      await use(async () => {
        browser ??= playwright.chromium.launch();
        return (await (await browser).newContext()).newPage();
      });
      await (await browser)?.close();
    },
    { scope: "worker" },
  ],

  app: async ({ door, hostEnv, hostArgs, openPage }, use, testInfo) => {
    skipWithoutElectron(door, testInfo);
    if (testInfo.tags.includes("@long")) testInfo.skip(!isLongRun, whyShort);
    const page = door === "browser" ? await openPage() : undefined;
    const folder = await mkdtemp(join(tmpdir(), "countersign-e2e-"));
    // On the picture of the README the folder is one of a person, and not where this machine keeps passing files.
    const env = process.env.COUNTERSIGN_PICTURE ? { HOME: folder, ...hostEnv } : hostEnv;
    const app = new App(folder, (args) =>
      page === undefined
        ? startInElectron([...args, ...hostArgs], env)
        : startInBrowser(page, [...args, ...hostArgs], env),
    );
    await app.start();
    await use(app);
    if (testInfo.status !== testInfo.expectedStatus) await testInfo.attach("host log", { body: app.log });
    await app.stop();
    await page?.context().close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    expect(app.problems).toEqual([]);
  },
});

export { expect };

/** Where the real Electron is required, its absence is a failure and not a reason to skip. */
function skipWithoutElectron(door: DoorOptions["door"], testInfo: TestInfo): void {
  const reason = door === "electron" ? whyNoElectron() : undefined;
  if (reason === undefined) return;
  if (process.env.COUNTERSIGN_REQUIRE_ELECTRON) throw new Error(reason);
  testInfo.skip(true, reason);
}
