import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Runs in a process of its own, where nothing was loaded before, and tells which packages of LangChain were. */
const script = `
  import { registerHooks } from "node:module";
  const seen = new Set();
  registerHooks({
    load(url, context, next) {
      seen.add(/node_modules\\/(@langchain\\/[^/]+)/.exec(url)?.[1]);
      return next(url, context);
    },
  });
  const { loadClient } = await import(${JSON.stringify(join(import.meta.dirname, "create-chat-model.ts"))});
  seen.clear();
  await loadClient("ollama");
  console.log(JSON.stringify([...seen].filter((name) => name && name !== "@langchain/core")));
`;

it("loads the package of the provider it is asked for, and of no other", () => {
  const told = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect(JSON.parse(told)).toEqual(["@langchain/ollama"]);
});
