import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folders, running, withHost } from "./testing/host-fixture.ts";

withHost("test");

const file = () => join(folders.dataDir, "rules.json");
const read = () => readFile(file(), "utf8");
const add = (text: string) =>
  running.console.client.call("rules.add", { text, effect: "allow", target: "command", scope: "user" });

const commented = `// What I let pass.
{
  "rules": [
    // Building is harmless here.
    { "command": "make build", "effect": "allow" }, // asked for too often

    // A typo I have yet to mend.
    { "command": "make test", "effect": "alow" },
  ],
}
`;

describe("a rules file that a person wrote", () => {
  it("keeps its comments and its refused rules when a rule is added and removed in the app", async () => {
    await writeFile(file(), commented);
    const rule = await add("npm test");
    const written = await read();
    for (const line of commented.split("\n")) expect(written).toContain(line);
    const { rules } = await running.console.client.call("rules.list", {});
    expect(rules.map(({ text }) => text)).toEqual(["make build", "npm test"]);
    await running.console.client.call("rules.remove", { id: rule.id });
    expect(await read()).toBe(commented);
  });

  it("loses a rule of the person's own together with what they wrote about it", async () => {
    await writeFile(file(), commented);
    const { rules } = await running.console.client.call("rules.list", {});
    await running.console.client.call("rules.remove", { id: rules[0]!.id });
    expect(await read()).toBe(commented.replace(/ {4}\/\/ Building.*\n.*often\n\n/, "\n"));
  });

  it.each([
    ["is no JSON", "{ rules: oops"],
    ["is of a version that is not known", '{ "version": 2, "rules": [] }'],
  ])("is left alone when it %s", async (_what, text) => {
    await writeFile(file(), text);
    await expect(add("npm test")).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/has to be mended first, line 1/),
    });
    expect(await read()).toBe(text);
  });

  it("is made with a word about its format when there is none", async () => {
    await add("npm test");
    expect(await read()).toMatch(/^\/\/ Countersign's rules: .*docs\/policy\.md\.\n\{\n {2}"\$schema"/);
  });
});
