import { expect, it } from "vitest";
import { judgeCommand } from "./judge-command.ts";
import { makeContext } from "./testing/make-context.ts";

const judge = (command: string) => judgeCommand(command, makeContext({ rules: [] })).verdict;

// Each of these prints a hundred million characters for files of a few lines.
it.each([
  "date +%99999999Y",
  "date -u +%099999999Y",
  "ls -l --time-style=+%99999999Y",
  "git log --date=format:%99999999Y",
  "git log --format='%<(99999999)%s'",
  "git for-each-ref --format='%(align:99999999)%(refname)%(end)'",
  "git branch --format='%(align:width=99999999)%(refname)%(end)'",
  "git tag -l --format='%(committerdate:format:%99999999Y)'",
  "git blame --date=format:%99999999Y f",
  "git reflog --date=format:%99999999Y",
  "diff -y -W 99999999 f g",
  "diff --width=99999999 -y f g",
  "hexdump -e '1/1 \"%99999999d\"' f",
  "od -t x1z -w99999999 f",
  "stat -c %99999n f",
  "expand -t 99999999 f",
  "nl -w 99999999 f",
  "column -c 99999999 f",
])("asks about %s, whose output would not end", (command) => {
  expect(judge(command)).toBe("ask");
});

it.each([
  "head -c 1000000 f",
  "tail -n 100000 f",
  "grep -n 12345678 src/a.ts",
  "echo 100000000 at 50%",
  "git log --since=2024-01-01 --format='%h %ad %s'",
  "git show --stat 1234567",
  "date +%Y-%m-%dT%H:%M:%S",
  "stat -c '%s %n' log-20240101.txt",
  "ls -l build-123456",
  "diff -y -W 160 f g",
  "od -A d -t x1 -N 64 f",
])("runs %s", (command) => {
  expect(judge(command)).toBe("safe");
});
