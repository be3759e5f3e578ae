/** The real host under load, in a process of its own: stores, gate, queue and door as they run for a person. */
import { createHost } from "../src/main/host/create-host.ts";
import { createAccess } from "../src/main/serve/access.ts";
import { createDoor } from "../src/main/serve/door.ts";
import { forkBuilt } from "./fork-built.ts";
import { answerParent } from "./load-probe.ts";

const [dataDir, workspace] = process.argv.slice(2) as [string, string];
const host = await createHost({
  dataDir,
  workspace,
  mode: "browser",
  version: "bench",
  forkShellHost: forkBuilt,
  // The bars are those of commands that nothing holds.
  sandbox: { mode: "off" },
});
const door = await createDoor({
  files: new Map(),
  port: 0,
  access: createAccess(),
  onTransport: (transport) => host.connect(transport),
});

answerParent({ address: () => door.address({ lifetimeMs: 60_000, isExposed: false }) });
