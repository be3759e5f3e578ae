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

it.each(["mvn test", "tsc", "uv sync", "gradle test"])(
  "covers of %s no words that bring in others",
  (rule) => {
    const context = makeContext({ rules: [makeRule(rule)] });
    const covered = (words: string) => judgeCommand(`${rule} ${words}`, context).verdict === "covered";
    expect(["", "-v"].map(covered)).toEqual([true, true]);
    for (const words of [
      ...["org.x:evil-maven-plugin:1:run", "x:y:z"].filter(() => rule === "mvn test"),
      ...["--outdir x", "-outDir x", "--OUTFILE x", "-B"].filter(() => rule === "tsc"),
      ...["--index-url http://x.example", "--default-index=http://x.example", "--find-links x"],
    ])
      expect([words, covered(words)]).toEqual([words, false]);
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

it("covers of a program no option that has another one started", () => {
  const context = makeContext({ rules: [makeRule("split"), makeRule("git branch")] });
  const verdicts = ["split f", "split --filter=id f", "git branch x", "git branch --edit-description"].map(
    (command) => judgeCommand(command, context).verdict,
  );
  expect(verdicts).toEqual(["covered", "ask", "covered", "ask"]);
});
