/** What package managers are asked about their settings may be covered by a rule only where the value is no secret. */
import { expect, it } from "vitest";
import { judgeCommand } from "../judge-command.ts";
import { proposeRule } from "../propose-rule.ts";
import { makeContext, makeRule } from "../testing/make-context.ts";

const judge = (command: string) => judgeCommand(command, makeContext()).verdict;

it.each(["npm config get registry", "npm get cache", "npm c get loglevel", "pnpm config get store-dir"])(
  "lets a rule cover %s, and proposes that very one",
  (command) => {
    expect(judge(command)).toBe("new");
    expect(proposeRule(command, makeContext())).toMatchObject({ text: command, exact: true });
    const context = makeContext({ rules: [makeRule(command, { exact: true })] });
    expect(judgeCommand(command, context).verdict).toBe("covered");
    expect(judgeCommand(`${command} _auth`, context).verdict).toBe("ask");
  },
);

it.each([
  ...[
    "npm config get _authToken",
    "npm config get //registry.npmjs.org/:_authToken",
    "npm get @acme:registry",
  ],
  ...["npm config get https-proxy", "npm config get registry _auth", "npm config get", "npm config list"],
  ...["npm config set registry x", "npm config get registry --userconfig x", "npm config edit", "npm get"],
])("always asks about %s", (command) => {
  expect(judge(command)).toBe("ask");
});
