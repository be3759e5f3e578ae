/** Whether commands can be rehearsed on this machine, and a folder to do it in, for tests. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { missing as noSandbox, program } from "../../sandbox/testing/real-sandbox.ts";
import { findCommandShell } from "../../shell/find-command-shell.ts";
import { holdProgram } from "../../shell/held-program.ts";
import { createRehearsals, type RehearsalParts } from "../rehearse.ts";

const base = "/var/tmp";

const holdHere: RehearsalParts["hold"] = async (request) => holdProgram(request);

/** A workspace with these files, a home with a key and what its person hides, and rehearsals over both. Not below `/tmp`, of which a command has its own. */
export function makeScene(files: Record<string, string>, hold: RehearsalParts["hold"] = holdHere) {
  const root = realpathSync(mkdtempSync(join(base, "countersign-rehearsal-")));
  const [workspace, home, dataDir] = ["workspace, one: é", "home", "data"].map((name) =>
    join(root, name),
  ) as [string, string, string];
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const folder of [workspace, dataDir]) mkdirSync(folder);
  for (const name of [".ssh/key", "beside"]) put(join(home, name), "PRIVATE\n");
  for (const [name, text] of Object.entries(files)) put(join(workspace, name), text);
  const commandShell = findCommandShell("linux", process.env);
  const rehearsals = createRehearsals({
    ...{ dataDir, home, commandShell },
    hidden: () => ({ paths: [join(home, "beside")], home: false }),
    sandbox: async () => ({ usable: true, program, tries: 1 }),
    hold,
  });
  const rehearse = (command: string) =>
    rehearsals.rehearse({
      command,
      workspace,
      width: "workspace and git",
      signal: new AbortController().signal,
    });
  return {
    root,
    workspace,
    home,
    dataDir,
    rehearsals,
    rehearse,
    remove: () => rmSync(root, { recursive: true }),
  };
}

async function whyNot(): Promise<string | undefined> {
  if (noSandbox !== undefined) return noSandbox;
  const scene = makeScene({});
  try {
    const done = await scene.rehearse("true");
    return "why" in done ? done.why : undefined;
  } finally {
    scene.remove();
  }
}

/** Why tests with it are skipped here; undefined where they run. @throws where they have to run and cannot */
export const missing = await whyNot();
if (missing !== undefined && process.env.COUNTERSIGN_REQUIRE_SANDBOX === "1")
  throw new Error(`Commands cannot be rehearsed here: ${missing}`);
if (missing !== undefined) console.log(`Skipped: commands cannot be rehearsed here: ${missing}`);
