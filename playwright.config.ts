/** The same end-to-end specs through two doors: browser mode always, Electron where its binary is installed. */
import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import type { DoorOptions } from "./e2e/app-fixture/door.ts";
import { findChromium } from "./scripts/setup/chromium.mjs";
import { electronPath } from "./scripts/setup/electron-binary.mjs";
import { hangGuardMs } from "./src/shared/testing/hang-guard.ts";

// Workers load this file again; the search is made once.
process.env.CHROMIUM_PATH ??= findChromium() ?? "";
process.env.COUNTERSIGN_ELECTRON_PATH ??= electronPath() ?? "";

const isRoot = process.getuid?.() === 0;

export default defineConfig<DoorOptions>({
  testDir: "e2e",
  testMatch: process.env.COUNTERSIGN_PICTURE ? "readme-picture.ts" : "**/*.spec.ts",
  globalSetup: "./e2e/app-fixture/announce-doors.ts",
  outputDir: "test-results",
  // A spec waits for most of its time.
  workers: 2 * availableParallelism(),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A spec that passes only the second time is named as flaky in the report; it shows a race, and not a broken product.
  retries: process.env.CI ? 1 : 0,
  timeout: 2 * hangGuardMs,
  expect: { timeout: hangGuardMs },
  reporter: "list",
  use: {
    viewport: { width: 1280, height: 840 },
    trace: "off",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH || undefined,
      args: [
        ...(isRoot ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "browser", use: { door: "browser" } },
    { name: "electron", use: { door: "electron" } },
  ],
});
