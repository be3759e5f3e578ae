/** `npm run test:bsd`: the tests of what holds on macOS (`*.bsd.test.ts`), with stand-ins where no Mac is. */
import { join } from "node:path";
import { ensureInstalled } from "./setup/install.mjs";
import { main, root } from "./setup/project.mjs";
import { node24Path, run } from "./setup/run.mjs";

await main(async (args) => {
  if (process.platform === "win32") {
    console.log("Skipped: Windows has no stand-in for macOS' programs.");
    return 0;
  }
  await ensureInstalled();
  console.log(
    process.platform === "darwin"
      ? "This is a Mac: its own programs and files are tested."
      : "This is no Mac: each test names the stand-in that it takes for macOS' programs or files.",
  );
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  return run(node24Path(), [vitest, "run", "--passWithNoTests", "--project", "bsd", ...args]);
});
