/** `npm test`: sets up, browser included, then runs every check and every test, and ends with one line of counts. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./setup/build.mjs";
import { ensureChromium } from "./setup/chromium.mjs";
import { electronPath, ensureElectron } from "./setup/electron-binary.mjs";
import { ensureInstalled } from "./setup/install.mjs";
import { cacheDir, main, root, SetupError } from "./setup/project.mjs";
import { node24Path, run } from "./setup/run.mjs";
import { countPlaywright, countVitest, summarise } from "./setup/summary.mjs";

const reportDir = join(cacheDir, "test");
const minute = 60_000;
const bin = (path) => join(root, "node_modules", path);
const node = (args, timeoutMs, env) => run(node24Path(), args, { timeoutMs, env });
const vitest = bin("vitest/vitest.mjs");

/** A step that only succeeds or fails counts as one test. */
const asOne = (code) => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });

await main(async () => {
  await ensureInstalled();
  rmSync(reportDir, { recursive: true, force: true });
  mkdirSync(reportDir, { recursive: true });
  // Here, so that two stages at once never install it.
  await ensureChromium();
  // Each of these keeps about one core busy; tests that keep all of them busy have the machine to themselves.
  const sideBySide = [
    [
      ["types", () => check([bin("typescript/bin/tsc"), "-b"])],
      ["build", build],
      ["fault tests", runFault],
    ],
    [
      ["format and lint", () => check([bin("@biomejs/biome/bin/biome"), "ci", "."])],
      ["boundaries", () => check([join(root, "scripts/check-boundaries.mjs")])],
      ["dead code", () => check([bin("knip/bin/knip.js")])],
      ["component tests", () => runVitest("component", ["--project", "browser"], 15 * minute)],
    ],
  ];
  const afterwards = [
    ["unit tests", () => runVitest("unit", ["--project", "unit", "--project", "checkpointer"], 15 * minute)],
    ["attacks, in their bounded form", () => runVitest("attack", ["--project", "attack"], 10 * minute)],
    ["packages", () => runVitest("package", ["--project", "package"], 15 * minute)],
    ["end-to-end tests", runPlaywright],
  ];
  const results = (await Promise.all(sideBySide.map(runStages))).flat();
  results.push(...(await runStages(afterwards)));
  printSummary(results);
  return results.every(({ counts }) => counts.failed === 0) ? 0 : 1;
});

async function runStages(stages) {
  const results = [];
  for (const [name, work] of stages) results.push(await runStage(name, work));
  return results;
}

async function runStage(name, work) {
  console.log(`\n=== ${name}`);
  const startedAt = Date.now();
  let counts;
  try {
    counts = await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.log(error.message);
    counts = asOne(1);
  }
  const seconds = (Date.now() - startedAt) / 1000;
  console.log(`=== ${name}: ${counts.failed === 0 ? "ok" : "FAILED"} after ${seconds.toFixed(1)} s`);
  return { name, counts, seconds };
}

function printSummary(results) {
  console.log("\n=== summary");
  for (const { name, counts, seconds } of results)
    console.log(
      `${counts.failed === 0 ? "ok    " : "FAILED"} ${name} (${seconds.toFixed(1)} s): ${summarise([counts])}`,
    );
  console.log(`\n${summarise(results.map(({ counts }) => counts))}`);
}

async function check(args) {
  return asOne(await node(args, 10 * minute));
}

async function build() {
  await ensureBuilt({ force: true });
  return asOne(0);
}

/** The runner's own exit code counts too: it knows of failures that are no test's, such as unhandled errors. */
async function runVitest(name, args, timeoutMs) {
  const file = join(reportDir, `${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const browser = await ensureChromium();
  const env = { CHROMIUM_PATH: browser };
  const code = await node([vitest, "run", "--passWithNoTests", ...args, ...reporters], timeoutMs, env);
  return readCounts(file, countVitest, code);
}

async function runFault() {
  const folder = join(root, "fault");
  if (!existsSync(folder) || !readdirSync(folder).some((name) => name.endsWith(".test.ts"))) {
    console.log("There are no fault tests.");
    return { passed: 0, failed: 0, skipped: 0 };
  }
  return runVitest("fault", ["--project", "fault"], 15 * minute);
}

async function runPlaywright() {
  const isRequired = Boolean(process.env.COUNTERSIGN_REQUIRE_ELECTRON);
  if (isRequired) await ensureElectron({ force: true });
  if (isRequired && electronPath() === undefined)
    throw new SetupError(
      "COUNTERSIGN_REQUIRE_ELECTRON is set and Electron could not be downloaded. Check the network.",
    );
  const file = join(reportDir, "e2e.json");
  const args = [bin("@playwright/test/cli.js"), "test", "--pass-with-no-tests", "--reporter=list,json"];
  const env = { CHROMIUM_PATH: await ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  return readCounts(file, countPlaywright, await node(args, 30 * minute, env));
}

function readCounts(file, count, code) {
  if (!existsSync(file)) return asOne(code === 0 ? 0 : 1);
  const counts = count(JSON.parse(readFileSync(file, "utf8")));
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
