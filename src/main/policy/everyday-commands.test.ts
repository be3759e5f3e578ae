/** Read-only commands that people and agents type all day: an ask for one of them trains people to click without reading. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { judgeCommand } from "./judge-command.ts";
import { makeContext } from "./testing/make-context.ts";

const commands = z
  .array(z.string())
  .parse(JSON.parse(readFileSync(new URL("./everyday-commands.json", import.meta.url), "utf8")));

it("lets at least 95 of 100 everyday commands that only read run unasked", () => {
  const context = makeContext({ rules: [] });
  const asking = commands.flatMap((command) => {
    const { verdict, units } = judgeCommand(command, context);
    const why = units.find((unit) => unit.verdict === verdict)?.reason;
    return verdict === "safe" ? [] : [`${verdict}  ${command}  ${why}`];
  });
  console.log(`${asking.length} of ${commands.length} everyday commands ask:\n${asking.join("\n")}`);
  expect(commands.length).toBeGreaterThanOrEqual(200);
  expect(asking.length / commands.length, asking.join("\n")).toBeLessThanOrEqual(0.05);
});
