/** What an archive holds has names that nobody sees, so what would print it asks. */
import { expect, it } from "vitest";
import { judgeCommand } from "./judge-command.ts";
import { makeContext, makeRule } from "./testing/make-context.ts";

const names = ["a.ts", "backup.tar", "notes.md", "old.zip.bak"];
const inFolder = (path: string) => (path.endsWith("/src") ? ["a.ts"] : names);
const context = makeContext({
  rules: ["gzip", "xz"].map((text) => makeRule(text)),
  look: {
    isThere: (path) => path === "/home/ada/code/app/.git",
    entriesIn: (path) => inFolder(path).map((name) => ({ name, kind: "other" as const })),
    namesIn: inFolder,
    namesBelow: inFolder,
    kindOf: () => undefined,
  },
  resolvePath: (path) => ({ real: path.replace(/linked\.txt$/, "backup.tar") }),
});
const judge = (command: string) => judgeCommand(command, context).verdict;

it.each([
  ...["cat backup.tar", "strings backup.tar", "xxd old.zip.bak", "base64 -w0 BACKUP.TAR", "cmp a.ts x.tgz"],
  ...["cat linked.txt", "cat *", "head -c 99 b*", "strings < backup.tar", "git show HEAD:old/x.tar.gz"],
  ...["grep -ra x .", "grep -r --text x .", "grep --binary-files=text -r x .", "rg -a x", "git diff --text"],
  ...["git log -p -a", "git grep -a x", "zcat x.gz", "zgrep x a.gz", "gunzip x.gz", "gzip -dc x.gz"],
  ...["gzip --stdout -d x.gz", "xz -dk x.xz", "jar xf a.jar", "tar -xOf backup.tar", "tar xOf backup.tar"],
  ...["unzip -p old.zip", "unzip -c old.zip"],
])("asks about %s", (command) => {
  expect(judge(command)).toBe("ask");
});

it.each([
  ...["cat a.ts", "cat *.md", "grep -ra x src", "cat src/*", "grep -r x .", "rg x", "ls *.zip", "git log -p"],
  ...[
    "sha256sum backup.tar",
    "wc -c backup.tar",
    "file backup.tar",
    "tar -tf backup.tar",
    "unzip -l old.zip",
  ],
  ...["git log --stat -- backup.tar", "git show HEAD:src/a.ts"],
])("runs %s, which prints nothing of an archive", (command) => {
  expect(judge(command)).toBe("safe");
});
