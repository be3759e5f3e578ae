/** Which peers there are to compare with, where each would be, and why one cannot be measured here. */
import { basename, dirname, join } from "node:path";
import { type Listed, listedAgents, realAgentAt } from "../../src/main/agents/acp/testing/real-agent.ts";
import { findIn, wholeFolders } from "../../src/main/shell/find-program.ts";
import { acpSide } from "./acp-side.ts";
import { ownSide, unconfinedSide } from "./own-side.ts";
import type { Side } from "./side.ts";

/** Compared, and no agent whose threads the tests of this project work with. */
const qwen: Listed = {
  id: "qwen",
  name: "Qwen Code",
  version: "0.24.4",
  package: "@qwen-code/qwen-code",
  program: "node_modules/.bin/qwen",
};

/** A runtime without a program: its window is Electron's, and its package is not on npm. */
const openwork: Side = {
  name: "openwork",
  version: "sources",
  missing:
    "openwork is no package of npm and has no program without a window; it was measured as a library once",
  command: () => ({ tool: "", args: {} }),
  start: () => Promise.reject(new Error("openwork cannot be started.")),
};

/** Where they are looked for: a folder as `npm run test:agents` fills it, then programs by their names. */
export type Places = { folder: string; path: string };

/** Every side, this project first, as it comes and then with its commands outside of the sandbox. */
export const findSides = (places: Places): Side[] => [
  ownSide,
  unconfinedSide,
  ...[...listedAgents, qwen].map((listed) => findAgent(listed, places)),
  openwork,
];

function findAgent(listed: Listed, { folder, path }: Places): Side {
  const { id, version, program, name } = listed;
  const installed = join(folder, `${id}-${version}`, program);
  const file = findIn([dirname(installed), ...wholeFolders(path)], basename(program));
  if (file === undefined) {
    const missing = `${name} is not installed: "${basename(program)}" is not on PATH, and COUNTERSIGN_AGENTS (else .cache/agents) has no ${id}-${version} (npm install --prefix ${id}-${version} ${listed.package}@${version})`;
    return { ...acpSide(realAgentAt(listed, installed)), missing };
  }
  return acpSide(realAgentAt(file === installed ? listed : { ...listed, version: "on PATH" }, file));
}
