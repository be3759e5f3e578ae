/** `npm start`: sets up, then opens the desktop app, or the same console in the browser where no window can be shown. */
import { constants } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./setup/build.mjs";
import { ensureElectron, whyNoWindow } from "./setup/electron-binary.mjs";
import { ensureInstalled } from "./setup/install.mjs";
import { main, report, root } from "./setup/project.mjs";
import { become, node24Path } from "./setup/run.mjs";

/** How Electron ends when the machine lacks a library or a sandbox it needs, long before it opens anything. */
const brokenCodes = [
  127,
  ...["SIGTRAP", "SIGABRT", "SIGSEGV", "SIGILL"].map((name) => 128 + constants.signals[name]),
];
const brokenWithinMs = 10_000;

await main(async (args) => {
  await ensureInstalled();
  await ensureBuilt();
  const problem = whyNoWindow(process.platform, process.env, process.getuid?.());
  const electron = problem === undefined ? await ensureElectron() : undefined;
  if (electron === undefined) return serve(args, problem ?? "Electron could not be downloaded");
  const startedAt = Date.now();
  // Set by some editors' terminals; it would turn Electron into a plain Node.
  const env = { ELECTRON_RUN_AS_NODE: undefined };
  const code = await become(electron, [root, ...args], { env });
  const isBroken = brokenCodes.includes(code) && Date.now() - startedAt < brokenWithinMs;
  return isBroken ? serve(args, "Electron does not run on this machine") : code;
});

function serve(args, reason) {
  report(`${reason}, so the console opens in your browser instead.`);
  return become(node24Path(), [join(root, "out", "main", "serve.js"), ...args], { watchParent: true });
}
