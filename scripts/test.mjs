/**
 * `npm test`: sets up, browser included, runs every check and every test, names what failed and ends with a line of counts.
 * `npm test -- --long` also runs what a bounded run leaves out (src/main/base/testing/long-run.ts).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBubblewrap } from "./setup/bubblewrap.mjs";
import { ensureBuilt } from "./setup/build.mjs";
import { ensureChromium } from "./setup/chromium.mjs";
import { electronPath, ensureElectron } from "./setup/electron-binary.mjs";
import { ensureInstalled } from "./setup/install.mjs";
import { cacheDir, main, root, SetupError } from "./setup/project.mjs";
import { printPromises } from "./setup/promises.mjs";
import { readPlaywright, readVitest } from "./setup/report-tests.mjs";
import { node24Path, run } from "./setup/run.mjs";
import { nameFailures, nameSecondTries, nameSkips, summarise } from "./setup/summary.mjs";
import { judgeSkips, readAllowedSkips } from "./testing/allowed-skips.mjs";

const reportDir = join(cacheDir, "test");
/** A stage that takes an hour hangs; how fast the machine is decides no test. */
const hangMs = 3_600_000;
const bin = (path) => join(root, "node_modules", path);
const node = (args, timeoutMs, env) => run(node24Path(), args, { timeoutMs, env });
const vitest = bin("vitest/vitest.mjs");

/** A step that only succeeds or fails counts as one test. */
const asOne = (code, why = `It ended with exit code ${code}.`) => [
  code === 0
    ? { file: "", name: "", status: "passed", why: "" }
    : { file: "", name: "", status: "failed", why },
];
if (process.argv.includes("--long")) process.env.COUNTERSIGN_LONG = "1";
const isLong = process.env.COUNTERSIGN_LONG === "1";
// What runs in the page sees no other variables of this process.
if (isLong) process.env.VITE_ATTACK_RUNS ??= "4";
// Hundreds of hosts and commands are started, each of which would compile the same code.
process.env.NODE_COMPILE_CACHE ??= join(reportDir, "compiled");
const isOk = (tests) => tests.every(({ status }) => status !== "failed");

/** macOS' tools have no stand-in on Windows. */
const bsd = process.platform === "win32" ? [] : ["--project", "bsd"];

await main(async () => {
  await ensureInstalled();
  rmSync(reportDir, { recursive: true, force: true });
  mkdirSync(reportDir, { recursive: true });
  // Here, so that two stages at once never install them.
  await ensureChromium();
  await ensureBubblewrap();
  // The others start what is built.
  const built = await runStage("build", build);
  // Three at once keep two cores busy to the end. A fourth lane starves the component tests, which run one file at a time.
  const lanes = [
    [
      ["format and lint", () => check([bin("@biomejs/biome/bin/biome"), "ci", "."])],
      ["boundaries", () => check([join(root, "scripts/check-boundaries.mjs")])],
      ["dead code", () => check([bin("knip/bin/knip.js")])],
      // One thread: the other lanes have the other core.
      ["types", () => check([bin("typescript-native/bin/tsc"), "-b", "--singleThreaded"])],
      ["fault tests", runFault],
      ["end-to-end tests", runPlaywright],
    ],
    [
      ["component tests", () => runVitest("component", ["--project", "browser"], hangMs)],
      ["packages", () => runVitest("package", ["--project", "package"], hangMs)],
      ["attacks, in their bounded form", () => runVitest("attack", ["--project", "attack"], hangMs)],
    ],
    [
      [
        "unit tests",
        () =>
          runVitest(
            "unit",
            ["--project", "unit", "--project", "processes", "--project", "checkpointer", ...bsd],
            hangMs,
          ),
      ],
    ],
  ];
  const ended = [built, ...(await runLanes(lanes))];
  const list = readAllowedSkips(process.platform, ...(isLong ? [] : ["short"]));
  const results = ended.map((result) => {
    const { judged, allowedBy } = judgeSkips(result.tests, list);
    return { ...result, tests: judged, allowedBy };
  });
  printPromises(
    `${process.platform} ${process.arch}`,
    results.flatMap(({ tests }) => tests),
  );
  printSummary(results);
  return results.every(({ tests }) => isOk(tests)) ? 0 : 1;
});

/** Side by side. @returns the results in the order of the lanes. */
async function runLanes(lanes) {
  return (await Promise.all(lanes.map(runStages))).flat();
}

async function runStages(stages) {
  const results = [];
  for (const [name, work] of stages) results.push(await runStage(name, work));
  return results;
}

async function runStage(name, work) {
  console.log(`\n=== ${name}`);
  const startedAt = Date.now();
  let tests;
  try {
    tests = await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.log(error.message);
    tests = asOne(1, error.message);
  }
  const seconds = (Date.now() - startedAt) / 1000;
  console.log(`=== ${name}: ${isOk(tests) ? "ok" : "FAILED"} after ${seconds.toFixed(1)} s`);
  return { name, tests, seconds };
}

function printSummary(results) {
  console.log("\n=== summary");
  for (const { name, tests, seconds } of results)
    console.log(
      `${isOk(tests) ? "ok    " : "FAILED"} ${name} (${seconds.toFixed(1)} s): ${summarise(tests)}`,
    );
  for (const { name, allowedBy } of results)
    if (allowedBy.size > 0) console.log(`\n=== left out of ${name}${nameSkips(allowedBy)}`);
  printTests("passed only the second time", results, nameSecondTries);
  printTests("failed", results, nameFailures);
  console.log(`\n${summarise(results.flatMap(({ tests }) => tests))}`);
}

function printTests(title, results, nameTests) {
  const lines = results.flatMap(({ name, tests }) => nameTests(tests).map((line) => `${name}: ${line}`));
  if (lines.length > 0) console.log(`\n=== ${title}\n${lines.join("\n")}`);
}

async function check(args) {
  return asOne(await node(args, hangMs));
}

async function build() {
  await ensureBuilt({ force: true });
  return asOne(0);
}

/** The runner's own exit code counts too: it knows of failures that are no test's, such as unhandled errors. */
async function runVitest(name, args, timeoutMs) {
  // By its name alone, that of the packages would tell Node what the programs beside it are.
  const file = join(reportDir, `${name}-report.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const browser = await ensureChromium();
  const env = { CHROMIUM_PATH: browser };
  const code = await node([vitest, "run", "--passWithNoTests", ...args, ...reporters], timeoutMs, env);
  return readReport(file, (report) => readVitest(report, root), code);
}

async function runFault() {
  const folder = join(root, "fault");
  if (!existsSync(folder) || !readdirSync(folder).some((name) => name.endsWith(".test.ts"))) {
    console.log("There are no fault tests.");
    return [];
  }
  return runVitest("fault", ["--project", "fault"], hangMs);
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
  return readReport(file, readPlaywright, await node(args, hangMs, env));
}

function readReport(file, read, code) {
  if (!existsSync(file)) return asOne(code);
  const tests = read(JSON.parse(readFileSync(file, "utf8")));
  if (code === 0 || !isOk(tests)) return tests;
  return [...tests, ...asOne(code, `No test failed, yet the run ended with exit code ${code}: see its log.`)];
}
