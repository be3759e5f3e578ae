/** The door met by a real browser: the page gets through under the full CSP, other pages do not, even with the token. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "@playwright/test";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveContract } from "../../shared/wire/serve-contract.ts";
import { createAccess } from "./access.ts";
import { createDoor, type Door } from "./door.ts";
import type { StaticFiles } from "./static-files.ts";
import { filesOf } from "./testing/open-door.ts";
import { type TestDoor, tokenOf } from "./testing/open-socket.ts";
import { fillHandlers } from "./testing/partial-handlers.ts";

const wellKnownPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];
const chromiumPath = findChromium();
if (chromiumPath === undefined) {
  console.warn("Skipped: no Chromium found. Set CHROMIUM_PATH, or run: npx playwright install chromium");
}

describe.skipIf(chromiumPath === undefined)("in Chromium", () => {
  let browser: Browser;
  let files: StaticFiles;
  let door: Door & TestDoor;

  beforeAll(async () => {
    files = await buildPage();
    browser = await launchChromium(chromiumPath ?? "");
    door = await openDoor(0);
  });
  afterAll(async () => {
    await browser?.close();
    await door?.close();
  });

  async function openDoor(port: number): Promise<Door & TestDoor> {
    const access = createAccess();
    const handlers = fillHandlers({ "host.backup": () => ({ path: "/from/the/host" }) });
    const opened = await createDoor({
      files,
      port,
      access,
      onTransport: (transport) =>
        serveContract(transport, handlers, { clientId: "page", onInternalError: String }),
    });
    return { ...opened, access };
  }

  it("the page connects, keeps its code out of the address, connects again on reload, and breaks no policy", async () => {
    const page = await browser.newPage();
    await page.goto(door.address(code));
    await expectTitle(page, "/from/the/host violations: 0");
    expect(page.url()).toBe(`http://127.0.0.1:${door.port}/`);
    expect(await page.evaluate("document.cookie + localStorage.length")).toBe("0");
    await page.reload();
    await expectTitle(page, "/from/the/host violations: 0");
    await page.close();
  });

  it("a page that is reloaded before its answer came is let in all the same", async () => {
    const page = await browser.newPage();
    let lost = 0;
    // The answer to the first exchange is lost, as where a person reloads at that moment.
    await page.route("**/session", async (route) => {
      if (lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      await route.abort();
    });
    await page.goto(door.address({ ...code, isExposed: true }));
    await expect.poll(() => lost).toBe(1);
    await page.reload();
    await expectTitle(page, "/from/the/host violations: 0");
    await page.close();
  });

  it("an address lets one page in: a second one is told how to get another", async () => {
    const address = door.address(code);
    const [first, second] = [await browser.newPage(), await browser.newPage()];
    await first.goto(address);
    await expectTitle(first, "/from/the/host violations: 0");
    await second.goto(address);
    await expectTitle(second, /^forbidden: .*let a page in already.*Press Enter/);
    await first.reload();
    await expectTitle(first, "/from/the/host violations: 0");
    await Promise.all([first.close(), second.close()]);
  });

  it("an address that others could read shuts out whoever came by it once it is used twice", async () => {
    const address = door.address({ ...code, isExposed: true });
    const [first, second] = [await browser.newPage(), await browser.newPage()];
    await first.goto(address);
    await expectTitle(first, "/from/the/host violations: 0");
    await second.goto(address);
    await expectTitle(second, /^forbidden:/);
    await first.reload();
    await expectTitle(first, /^closed: .*does not accept this page/);
    await Promise.all([first.close(), second.close()]);
  });

  it("a page without a code is told to get an address", async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${door.port}/`);
    await expectTitle(page, /^forbidden: .*not been let in yet/);
    await page.close();
  });

  it("a page with the token of an earlier start is told that the host was started anew", async () => {
    const page = await browser.newPage();
    await page.addInitScript(`sessionStorage.setItem("countersign.token", "${"x".repeat(43)}")`);
    await page.goto(`http://127.0.0.1:${door.port}/`);
    await expectTitle(page, /^closed: .*started anew/);
    await page.close();
  });

  it("a page with a preload's bridge takes the port posted to it, and no message that only looks like one", async () => {
    const page = await browser.newPage();
    await page.addInitScript(standInForPreload);
    await page.goto(`http://127.0.0.1:${door.port}/`);
    await expectTitle(page, "/from/the/port violations: 0");
    await page.close();
  });

  it("a page of another port or another name cannot connect, read or embed, though it knows the token", async () => {
    const other = createServer((_request, response) => {
      response.writeHead(200, { "Content-Type": "text/html" }).end("<title>other</title>");
    }).listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const page = await browser.newPage();
    for (const home of [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`]) {
      await page.goto(home);
      expect(await page.evaluate(knock(door))).toEqual({
        socket: "refused",
        read: "refused",
        script: "refused",
        exchange: "refused",
      });
    }
    await page.close();
    other.close();
  });
});

const code = { lifetimeMs: 60_000, isExposed: false };

/** Posts a port as the preload does, after three decoys: no port, another type, and another sender. */
const standInForPreload = `window.countersign = {
  connect() {
    const answer = (path) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) =>
        port1.postMessage(JSON.stringify({ t: "result", id: JSON.parse(data).id, output: { path } }));
      return port2;
    };
    const message = { type: "countersign:port" };
    window.postMessage(message, location.origin);
    window.postMessage({ type: "other" }, location.origin, [answer("/wrong/type")]);
    const decoy = { data: message, ports: [answer("/wrong/sender")], origin: location.origin };
    window.dispatchEvent(new MessageEvent("message", decoy));
    window.postMessage(message, location.origin, [answer("/from/the/port")]);
  },
};`;

/** What the foreign page runs; text, because it speaks the page's types and not Node's. */
function knock(door: TestDoor): string {
  return `(async () => {
    const at = "127.0.0.1:${door.port}";
    const settle = (start) => new Promise((resolve) => start(() => resolve("let in"), () => resolve("refused")));
    return {
      socket: await settle((yes, no) => {
        const socket = new WebSocket("ws://" + at + "/wire", ["console.v1", "auth.${tokenOf(door)}"]);
        socket.onopen = yes;
        socket.onerror = no;
      }),
      exchange: await settle((yes, no) => {
        const headers = { Authorization: "Code ${door.access.issueCode(code)}" };
        fetch("http://" + at + "/session", { method: "POST", headers }).then(yes, no);
      }),
      read: await settle((yes, no) => fetch("http://" + at + "/").then(yes, no)),
      script: await settle((yes, no) => {
        const script = document.createElement("script");
        script.src = "http://" + at + "/page.js";
        script.onload = yes;
        script.onerror = no;
        document.head.append(script);
      }),
    };
  })()`;
}

async function expectTitle(page: Page, title: string | RegExp): Promise<void> {
  // Asked from outside: a condition that the page polls itself is evaluated there, which its policy forbids.
  await expect.poll(() => page.title()).not.toBe("waiting");
  expect(await page.title()).toEqual(typeof title === "string" ? title : expect.stringMatching(title));
}

/** The renderer's real `connect` and client, bundled as the app bundles them, with a page that tells in its title how it went. */
async function buildPage(): Promise<StaticFiles> {
  const at = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));
  const source = `
    import { connect } from ${at("../../renderer/base/connect.ts")};
    import { createClient } from ${at("../../shared/wire/client.ts")};
    let violations = 0;
    document.addEventListener("securitypolicyviolation", () => violations++);
    connect()
      .then((transport) => createClient(transport).call("host.backup", {}))
      .then(({ path }) => new Promise((resolve) => setTimeout(() => resolve(path))))
      .then((path) => { document.title = path + " violations: " + violations; })
      .catch((error) => { document.title = error.code + ": " + error.message; });`;
  const entry = "virtual:page";
  const bundled = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      rollupOptions: { input: entry, output: { entryFileNames: "page.js" } },
    },
    plugins: [
      {
        name: "page",
        resolveId: (id) => (id === entry ? `\0${entry}` : undefined),
        load: (id) => (id === `\0${entry}` ? source : undefined),
      },
    ],
  });
  const output = "output" in bundled ? bundled.output : [];
  const script = output.find((chunk) => chunk.type === "chunk");
  if (script?.type !== "chunk") throw new Error("The page was not bundled.");
  const html = '<!doctype html><title>waiting</title><script type="module" src="/page.js"></script>';
  return filesOf({ "/": html, "/page.js": script.code });
}

/** The path of a browser, or nothing where there is none. `CHROMIUM_PATH` comes first, then Playwright's own. */
function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, chromium.executablePath(), ...wellKnownPaths].find(
    (path) => path !== undefined && path !== "" && existsSync(path),
  );
}

function launchChromium(executablePath: string): Promise<Browser> {
  // Chromium's sandbox cannot be had by root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}
