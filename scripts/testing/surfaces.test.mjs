/** What CONTRIBUTING's "Hit every surface" says of procedures, settings and events, where no compiler can ask for it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultSettings } from "../../src/shared/contract/console.ts";
import { contract } from "../../src/shared/contract/contract.ts";
import { threadEventDataSchema } from "../../src/shared/contract/thread-events.ts";
import { root } from "../setup/project.mjs";

const sources = readdirSync(join(root, "src"), { recursive: true })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\/testing\//.test(name))
  .map((name) => ({ name, text: readFileSync(join(root, "src", name), "utf8") }));

/** Whether a product file among those that `where` takes says it. */
const isSaid = (what, where) => sources.some(({ name, text }) => where(name) && what.test(text));
const isClient = (name) => /^(?:renderer|main\/(?:cli|electron))\//.test(name);
const events = threadEventDataSchema.options.map((option) => option.shape.type.value);

/** What a window reads off its stream; tests and benches ask a host for it by itself. */
const forTests = ["host.info"];
const asked = Object.keys(contract).filter((name) => !forTests.includes(name));

describe("what somebody added", () => {
  it.each(asked)("%s is asked for by the page, the command line or the desktop", (name) => {
    expect(isSaid(new RegExp(`"${name}"`), isClient)).toBe(true);
  });

  it.each(Object.keys(defaultSettings))("the setting %s is read where something obeys it", (id) => {
    const isTable = (name) => /setting-table\.ts$|settings-file\.ts$|contract\/console\.ts$/.test(name);
    expect(isSaid(new RegExp(`(?:\\.|\\{ |, )${id}\\b`), (name) => !isTable(name))).toBe(true);
  });

  it.each(events)("the event %s is written", (type) => {
    expect(isSaid(new RegExp(`type: "${type}"`), (name) => name.startsWith("main/"))).toBe(true);
  });
});
