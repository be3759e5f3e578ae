import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { findChromium } from "./scripts/setup/chromium.mjs";
import { hangGuardMs } from "./src/shared/testing/hang-guard.ts";

// Chromium refuses its sandbox to root, as in most containers.
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

/** No test may pass or fail by the clock: what is waited for has until it must count as hung. */
const patience = {
  testTimeout: 2 * hangGuardMs,
  hookTimeout: 2 * hangGuardMs,
  teardownTimeout: hangGuardMs,
  setupFiles: ["./scripts/testing/patient-waits.mjs"],
  expect: { poll: { timeout: hangGuardMs } },
  // A test that passes only the second time is named at the end of the run: it shows a race of the test. What a property
  // found is never tried again, since other values would hide it.
  retry: process.env.CI ? { count: 1, condition: /^(?!.*Property failed)/s } : 0,
};

const fileBesideBundled = fileURLToPath(
  new URL("src/main/base/testing/file-beside-bundled.ts", import.meta.url),
);
const storesAnew = fileURLToPath(new URL("src/renderer/testing/stores-anew.ts", import.meta.url));

const production = { "process.env.NODE_ENV": JSON.stringify("production") };

/**
 * Tests that start many processes. Starting one copies the page tables of whoever starts it, so it costs by what that one
 * holds: 1 ms in a fresh process, 20 in one that has run a hundred files.
 */
const startsProcesses = [
  "src/main/{rehearsal,sandbox,shell,worktrees}/**/*.test.ts",
  "src/main/cli/home.test.ts",
  "src/main/policy/{among-moves,bash-referee,git-*,reach}.test.ts",
];
/** Tests that are for systems or for agents and servers of others have projects of their own. */
const ofOtherProjects = [
  "scripts/package/**",
  "src/**/*.bsd.test.ts",
  "src/**/*.agents.test.ts",
  "src/**/*.servers.test.ts",
];

export default defineConfig({
  test: {
    reporters: ["default", "./scripts/testing/skip-reporter.mjs"],
    // Many tests wait for most of their time, for what a person or a process would do.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        resolve: { alias: [{ find: /^.*\/file-beside\.ts$/, replacement: fileBesideBundled }] },
        test: {
          name: "unit",
          globalSetup: "scripts/testing/bundle-workers.mjs",
          include: ["src/**/*.test.ts", "bench/**/*.test.ts", "scripts/**/*.test.mjs"],
          exclude: [...startsProcesses, ...ofOtherProjects],
          environment: "node",
          ...patience,
          // Half of the work would be loading the same modules for each file; what a test changes in them it puts back.
          isolate: false,
        },
      },
      {
        resolve: { alias: [{ find: /^.*\/file-beside\.ts$/, replacement: fileBesideBundled }] },
        test: {
          name: "processes",
          globalSetup: "scripts/testing/bundle-workers.mjs",
          include: startsProcesses,
          exclude: ofOtherProjects,
          environment: "node",
          ...patience,
          // They hold little all together too, and a worker for each would load the same modules: a fifth of the work.
          isolate: false,
        },
      },
      {
        test: {
          name: "checkpointer",
          ...patience,
          globals: true,
          include: ["src/main/storage/checkpointer/**/*.spec.ts"],
          environment: "node",
        },
      },
      {
        test: {
          // What holds on macOS: with the real thing on a Mac, with a stand-in that says so elsewhere.
          name: "bsd",
          include: ["src/**/*.bsd.test.ts"],
          environment: "node",
          ...patience,
        },
      },
      {
        resolve: { alias: [{ find: /^.*\/file-beside\.ts$/, replacement: fileBesideBundled }] },
        test: {
          // Real agents of others, which `npm run test:agents` installs first.
          name: "agents",
          include: ["src/**/*.agents.test.ts"],
          globalSetup: "scripts/testing/bundle-workers.mjs",
          environment: "node",
          ...patience,
          fileParallelism: false,
        },
      },
      {
        resolve: { alias: [{ find: /^.*\/file-beside\.ts$/, replacement: fileBesideBundled }] },
        test: {
          // A real server of others, which `npm run test:servers` installs first.
          name: "servers",
          include: ["src/**/*.servers.test.ts"],
          globalSetup: "scripts/testing/bundle-workers.mjs",
          environment: "node",
          ...patience,
        },
      },
      {
        test: {
          name: "fault",
          include: ["fault/**/*.test.ts"],
          environment: "node",
          ...patience,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "attack",
          include: ["attack/**/*.test.ts"],
          environment: "node",
          // How long an attack goes on is said in minutes; a test that is cut off would say nothing.
          testTimeout: (Number(process.env.COUNTERSIGN_ATTACK_MINUTES ?? 0) + 5) * 60_000,
        },
      },
      {
        test: {
          name: "package",
          include: ["scripts/package/**/*.test.mjs"],
          globalSetup: "scripts/package/testing/build-once.mjs",
          environment: "node",
          // Making a package is a build and a copy of everything, several times.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        plugins: [react(), tailwindcss()],
        // The React that ships; that for development takes a sixth more of the processor.
        define: production,
        resolve: { alias: [{ find: /^zustand$/, replacement: storesAnew }] },
        oxc: { jsx: { runtime: "automatic", development: false } },
        optimizeDeps: {
          // A library that is found only while a test runs would take the page anew under the tests.
          entries: ["src/renderer/main.tsx"],
          include: ["@base-ui/react/*", "fuzzysort", "zustand/react", "zustand/vanilla"],
          rolldownOptions: { transform: { define: production } },
        },
        test: {
          name: "browser",
          include: ["src/renderer/**/*.browser.test.tsx"],
          // There is one keyboard: what one file types would reach the page of another.
          fileParallelism: false,
          // A third of the work would be loading the same page for each file; `openConsole` starts its state anew.
          isolate: false,
          ...patience,
          // What waits for an element waits until the test ends.
          testTimeout: hangGuardMs,
          setupFiles: [...patience.setupFiles, "./scripts/testing/page-anew.mjs"],
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
