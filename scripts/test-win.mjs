/** `npm run test:win [FILE…]`: the tests of policy, paths, files, storage and environment in Windows' own Node, under Wine. */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { ensureInstalled } from "./setup/install.mjs";
import { withLock } from "./setup/lock.mjs";
import { cacheDir, main, root, SetupError } from "./setup/project.mjs";
import { printPromises } from "./setup/promises.mjs";
import { readVitest } from "./setup/report-tests.mjs";
import { node24Path, run } from "./setup/run.mjs";
import { nameFailures, nameSkips, summarise } from "./setup/summary.mjs";
import { judgeSkips, readAllowedSkips } from "./testing/allowed-skips.mjs";
import { judgeByList } from "./wine/judge-by-list.mjs";
import { prepareWine } from "./wine/prepare-wine.mjs";
import { endWine, startInWine, windowsPath } from "./wine/start-in-wine.mjs";
import { testFiles } from "./wine/test-files.mjs";

const reports = join(cacheDir, "wine", "reports");

await main(async (names) => {
  await ensureInstalled();
  const files = testFiles(root).filter(
    (file) => names.length === 0 || names.some((name) => file.includes(name)),
  );
  if (process.platform === "win32") return runOnWindows(files);
  const wine = await prepareWine(join(cacheDir, "wine"));
  if (wine.missing !== undefined) return leaveOut(wine.missing);
  // A second run would end the first one's Windows.
  return withLock(join(cacheDir, "wine", "run.lock"), () => runUnderWine(wine, files));
});

async function runUnderWine(wine, files) {
  console.log(`${wine.version}, Windows' Node ${wine.node}: ${files.length} files.`);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const tests = [];
  try {
    for (const file of files) tests.push(...(await runFile(wine, file)));
  } finally {
    endWine(wine);
  }
  return conclude(tests);
}

/** On Windows itself nothing has to be played: vitest runs the same files. */
async function runOnWindows(files) {
  console.log("This is Windows: its own files and programs are tested, without Wine.");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const report = join(cacheDir, "test-win.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  rmSync(report, { force: true });
  const code = await run(node24Path(), [
    vitest,
    "run",
    "--project",
    "unit",
    "--project",
    "processes",
    ...reporters,
    ...files,
  ]);
  if (!existsSync(report)) return code;
  const tests = readVitest(JSON.parse(readFileSync(report, "utf8")), root);
  const { judged, allowedBy } = judgeSkips(tests, readAllowedSkips("win32"));
  return printEnd("On Windows", judged, allowedBy) || code;
}

function leaveOut(why) {
  if (process.env.COUNTERSIGN_REQUIRE_WINE)
    throw new SetupError(`COUNTERSIGN_REQUIRE_WINE is set, and ${why}`);
  console.log(`Skipped: nothing of Windows was tested, because ${why}`);
  return 0;
}

async function runFile(wine, file) {
  const report = join(reports, `${file.replaceAll("/", "-")}.json`);
  const log = `${report}.log`;
  const startedAt = Date.now();
  const code = await startInWine(wine, ["scripts/wine/run-file.mjs", file, windowsPath(report)], log);
  const tests = existsSync(report)
    ? readVitest(JSON.parse(readFileSync(report, "utf8")), root)
    : [{ file, name: "", status: "failed", why: `It ended with ${code}; see ${relative(root, log)}.` }];
  console.log(`${file} (${((Date.now() - startedAt) / 1000).toFixed(1)} s): ${summarise(tests)}`);
  return tests;
}

/** What may fail here for a reason of Wine's is in a list; all else counts. */
function conclude(tests) {
  const lists = { wine: readAllowedSkips("wine"), win32: readAllowedSkips("win32") };
  const { judged, allowedBy, passing } = judgeByList(tests, lists);
  if (passing.length > 0)
    console.log(`\nIn the list of Wine's reasons, but passing; take them out:\n${passing.join("\n")}`);
  return printEnd("Under Wine", judged, allowedBy);
}

/** What was proved, left out and failed. Answers the exit code. */
function printEnd(where, tests, allowedBy) {
  printPromises(`Windows (npm run test:win, ${where.toLowerCase()})`, tests);
  console.log(`\n=== left out${nameSkips(allowedBy)}`);
  const failures = nameFailures(tests);
  if (failures.length > 0) console.log(`\n=== failed\n${failures.join("\n")}`);
  console.log(`\n${where}: ${summarise(tests)}`);
  return failures.length === 0 ? 0 : 1;
}
