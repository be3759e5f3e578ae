/** Output that an option names, under a rule for the program. */
import { expect, it } from "vitest";
import { judgeCommand } from "./judge-command.ts";
import { proposeRule } from "./propose-rule.ts";
import { makeContext, makeRule } from "./testing/make-context.ts";

const there = new Set(["Makefile", "makefile", "configure", "gradlew", "src", "src/a.ts", "htmlcov"]);
const context = (rule: string) => {
  const known = makeContext({ rules: [makeRule(rule, { exact: false })] });
  const isThere = (path: string) => there.has(path.replace(`${known.workspace}/`, ""));
  return { ...known, look: { ...known.look!, isThere } };
};
const judge = (command: string, words: number) =>
  judgeCommand(command, context(command.split(" ").slice(0, words).join(" "))).units[0]!;

it.each([
  "pytest tests --junitxml=Makefile",
  "pytest tests --junitxml Makefile",
  "pytest tests --junit-xml=makefile",
  "pytest tests --cov-report=xml:gradlew",
  "pytest tests --cov-report xml:src/a.ts",
  "pytest tests --result-log=conftest.py",
  "go build -o gradlew ./cmd",
  "mytool run -omain.c",
  "mytool run -coverprofile main.go",
  "mytool run -trace=Makefile",
  "cargo build --artifact-dir src",
  "jest src --outputFile=package.json",
  "mytool run --log-file=build.gradle",
  "mytool run --output configure",
  "mytool run --out-dir=src",
  "mytool run --reporter-output=Rakefile",
  "mytool run -Dreport.file=pom.xml",
  "mytool run --format=junit --out x.sh",
  "biome check --reporter=junit --reporter-file=gradlew",
  "phpunit tests --log-junit Makefile",
  "phpunit tests --coverage-html=src",
  "mytool fmt --log=Makefile",
])("no rule covers %s, which writes what others run or obey", (command) => {
  const { verdict, reason } = judge(command, 2);
  expect([verdict, reason]).toEqual([
    expect.stringMatching(/^(?:new|ask)$/),
    expect.stringMatching(/which other programs run or obey|writes where it is told|take its settings/),
  ]);
  // Named by the rule itself, the person saw it.
  if (verdict === "new") {
    expect(judge(command, command.split(" ").length).verdict).toBe("covered");
    expect(proposeRule(command, context("npm test"))).toMatchObject({ tokens: command.split(" ") });
  }
});

it.each([
  "pytest tests --junitxml=report.xml",
  "pytest tests --junitxml build/x",
  "pytest tests --cov-report=html",
  "pytest tests --cov-report=html:htmlcov --cov-report=term-missing",
  "pytest tests --cov=src --log-level=debug --log-cli-level=INFO",
  "go build -o dist/app ./cmd",
  "go build -v ./...",
  "cargo build --profile dev",
  "cargo test --message-format json src",
  "vitest run --coverage src/a.test.ts",
  "jest src --json --outputFile=out.json",
  "jest src --coverage --coverageReporters=text src/a.ts",
  "eslint src --format json --ext .ts,.tsx --cache",
  "npm test -- --reporter=dot --output json",
  "mytool run --timeout=5 --file src/a.ts --target=es2020 -o wide",
])("a rule still covers %s", (command) => expect(judge(command, 2)).toMatchObject({ verdict: "covered" }));
