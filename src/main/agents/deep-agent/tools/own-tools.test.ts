/** Facts without a tool would offer an agent's maker what no agent has. */
import { createFilesystemMiddleware, StateBackend } from "deepagents";
import { expect, it } from "vitest";
import { tools } from "../../../../shared/tools/tools.ts";
import { createOwnTools } from "./own-tools.ts";
import { createWebTools } from "./web-tools.ts";

/** The packages put them into each agent. */
const ofPackages = ["task", "write_todos"];

it("are, with those of the packages and the web, exactly the tools that have facts", () => {
  const files = createFilesystemMiddleware({ backend: new StateBackend() }).tools ?? [];
  const own = createOwnTools({ move: async (path) => ({ path }) });
  const web = createWebTools({ fetch: () => Promise.reject(), search: () => Promise.reject() });
  const made = [...files, ...own, ...web].map(({ name }) => name);
  expect([...made, ...ofPackages].sort()).toEqual(Object.keys(tools).sort());
});
