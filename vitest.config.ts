import { availableParallelism } from "node:os";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { findChromium } from "./scripts/setup/chromium.mjs";

// Chromium refuses its sandbox to root, as in most containers.
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export default defineConfig({
  test: {
    // By default one core is left idle, and of two that is half of the machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "scripts/**/*.test.mjs"],
          environment: "node",
          testTimeout: 20_000,
          // Half of the work would be loading the same modules for each file; what a test changes in them it puts back.
          isolate: false,
        },
      },
      {
        test: {
          name: "checkpointer",
          globals: true,
          include: ["src/main/storage/checkpointer/**/*.spec.ts"],
          environment: "node",
        },
      },
      {
        test: {
          name: "fault",
          include: ["fault/**/*.test.ts"],
          environment: "node",
          testTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        plugins: [react(), tailwindcss()],
        optimizeDeps: { include: ["@base-ui/react/*", "fuzzysort"] },
        test: {
          name: "browser",
          include: ["src/renderer/**/*.browser.test.tsx"],
          // There is one keyboard: what one file types would reach the page of another.
          fileParallelism: false,
          testTimeout: 20_000,
          // The first test of a file waits for modules that are compiled on demand.
          expect: { poll: { timeout: 5_000 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: findChromium() ?? undefined, args: sandbox },
            }),
            instances: [{ browser: "chromium", viewport: { width: 1280, height: 800 } }],
          },
        },
      },
    ],
  },
});
