/** The built preload beside the shipped page, under its headers, in the worlds that Chromium keeps apart. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { loadStaticFiles } from "../src/main/serve/static-files.ts";
import { fillHandlers } from "../src/main/serve/testing/partial-handlers.ts";
import { defaultSettings } from "../src/shared/contract/console.ts";
import { securityHeaders } from "../src/shared/security-headers.ts";
import { serveContract } from "../src/shared/wire/serve-contract.ts";
import { projectRoot } from "./app-fixture/door.ts";
import { installPreload, type Seen } from "./app-fixture/isolated-preload.ts";

const host = {
  version: "0.0.0-test",
  mode: "electron" as const,
  platform: process.platform,
  dataDir: "/data",
  home: "/home",
  workspace: null,
  hasFolderDialog: true,
  commandShell: { kind: "bash" as const, title: "bash 5.2" },
  sandbox: { state: "untried" as const },
  commandPath: { source: "as-started" as const, path: "/usr/bin", problem: null },
  warnings: ["This came over the port."],
};

/** The shipped pages with the headers the desktop app sends, and nothing else. */
async function servePages() {
  const files = await loadStaticFiles(join(projectRoot, "out/renderer"));
  const server = createServer(async (request, response) => {
    const file = files.get(new URL(request.url ?? "/", "http://a").pathname);
    response.writeHead(file ? 200 : 404, { ...securityHeaders, ...(file && { "Content-Type": file.type }) });
    response.end(await file?.read());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

test("hands the page one port, over which it opens the console, without a violation", async ({
  page,
}, info) => {
  test.skip(info.project.name === "electron", "Electron runs the preload itself there.");
  const pages = await servePages();
  const transport = await installPreload(page);
  let watched = 0;
  const handlers = fillHandlers({
    async *"console.watch"(_input, { signal }) {
      watched += 1;
      yield { kind: "reset", settings: { ...defaultSettings, firstRunDone: true }, host };
      yield { kind: "ready", seq: 0, today: { day: "2026-01-02" } };
      await once(signal, "abort");
    },
  });
  serveContract(transport, handlers, { clientId: "page", onInternalError: String });
  await page.goto(pages.origin);
  await expect(page.getByText("This came over the port.")).toBeVisible();
  expect(watched).toBe(1);
  const seen = await page.evaluate<Seen>("window.__seen");
  expect(seen.ports).toEqual([{ type: "countersign:port", isOwn: true, origin: pages.origin, ports: 1 }]);
  expect(seen.violations).toEqual([]);
  // What the preload can reach stays in its own world.
  expect(await page.evaluate("[typeof require, typeof __fromMain, Object.keys(countersign).join()]")).toEqual(
    ["undefined", "undefined", "connect"],
  );
  pages.close();
});
