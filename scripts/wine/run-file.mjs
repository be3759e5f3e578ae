/**
 * Runs one test file in the Node that runs this script and writes how its tests ended to a file, in the form of vitest's
 * own JSON report. Vitest's program needs native parts and a network of its own, which Wine has not; its runner, its
 * assertions and its spies need neither. Module mocks are the one thing that is missing.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { hangGuardMs } from "../../src/shared/testing/hang-guard.ts";

const [name, report] = process.argv.slice(2);
const file = resolve(name);
const require = createRequire(import.meta.url);

// Node removes types, but this version knows no `using` yet.
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(".ts")) return nextLoad(url, context);
    const text = readFileSync(fileURLToPath(url), "utf8");
    if (!/^\s*using /m.test(text)) return nextLoad(url, context);
    const { transpile, ModuleKind, ScriptTarget } = require("typescript");
    const options = { target: ScriptTarget.ES2022, module: ModuleKind.ESNext };
    return { format: "module", source: transpile(text, options), shortCircuit: true };
  },
});

const config = {
  root: process.cwd(),
  setupFiles: [resolve("scripts/testing/patient-waits.mjs")],
  name: undefined,
  passWithNoTests: true,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { hooks: "stack", setupFiles: "list", seed: 0 },
  maxConcurrency: 1,
  testTimeout: 2 * hangGuardMs,
  hookTimeout: 2 * hangGuardMs,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  strictTags: false,
  expect: { poll: { timeout: hangGuardMs } },
};
// What vitest's entry reads of the worker that it believes to be in.
globalThis.__vitest_worker__ = {
  config,
  filepath: file,
  environment: { name: "node" },
  onCleanup() {},
  rpc: {},
};

const vitest = createRequire(require.resolve("vitest"));
const { startTests } = await import(pathToFileURL(vitest.resolve("@vitest/runner")).href);
await import("vitest");
const [result] = await startTests([file], {
  config,
  importFile: (path) => import(pathToFileURL(path).href),
});
writeFileSync(report, JSON.stringify({ testResults: [describeFile(result)] }));
process.exit(0);

function describeFile(task) {
  return {
    name,
    status: task.result?.state === "fail" ? "failed" : "passed",
    message: task.result?.errors?.[0]?.message ?? "",
    assertionResults: [...testsOf(task, [], [])],
  };
}

/** What failed before or after a group counts as a failure of each of its tests that could not run. */
function* testsOf(task, titles, outerErrors) {
  const errors = [...outerErrors, ...(task.result?.errors ?? [])];
  for (const child of task.tasks) {
    if (child.type === "suite") {
      yield* testsOf(child, [...titles, child.name], errors);
      continue;
    }
    const state = errors.length > 0 ? "fail" : child.result?.state;
    yield {
      ancestorTitles: titles,
      title: child.name,
      status: { pass: "passed", fail: "failed" }[state] ?? "skipped",
      failureMessages: [...(child.result?.errors ?? []), ...errors].map((error) => error.message),
    };
  }
}
