/** What a command would reach, against a real repository on a real disk; nothing of any command is run. */

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Subject } from "../../shared/contract/subjects.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { lookAtDisk } from "./disk.ts";
import { judgeCommand } from "./judge-command.ts";
import type { PolicyContext } from "./policy-context.ts";
import { findReach } from "./reach.ts";
import { makeContext } from "./testing/make-context.ts";

let folder: string;
let context: PolicyContext;

const put = (path: string, text = path) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "countersign-reach-")));
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
  git("init", "-q");
  for (const path of ["src/a.ts", "src/b.ts", "总计.md", "changed.md"]) put(path);
  git("add", ".");
  put("changed.md", "changed and not noted");
  for (const path of ["build/one.js", "build/deep/two.js", "build/deep/三.js"]) put(path);
  symlinkSync("/etc", join(folder, "out"));
  context = makeContext({ ...lookAtDisk(folder), workspace: folder, cwd: folder });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const reachOf = (command: string, now?: () => number) =>
  findReach({ kind: "command", command, cwd: folder }, judgeCommand(command, context), context, now);
const deletes = (kept: number, lost: number, more = false) => ({ kind: "deletes", kept, lost, more });
const writes = (kept: number, lost: number, created: number, more = false) => ({
  kind: "writes",
  kept,
  lost,
  created,
  more,
});
const leaves = (to: string[], more = false) => ({ kind: "leaves", to, more });

it.each<[string, object[], string[]?, boolean?]>([
  ["ls -la", []],
  ["rm -rf build", [deletes(0, 3)]],
  ["rm -r src", [deletes(2, 0)]],
  ["rm -rf src build changed.md build/one.js", [deletes(2, 4)]],
  // Without -r a folder stays.
  ["rm build", []],
  ["rm -f nothing-there.md", []],
  ["rm out", [deletes(0, 1)]],
  ["rm *.md", [deletes(0, 0, true)]],
  ['rm -rf "$WHERE"', [deletes(0, 0, true)]],
  // A link is deleted and not what it leads to.
  ["rm -rf out", [deletes(0, 1)]],
  ["rm -- -r src/a.ts", [deletes(1, 0)]],
  ["echo hi > 总计.md", [writes(1, 0, 0)]],
  ["echo hi >> changed.md", [writes(0, 1, 0)]],
  ["echo hi > new.md && echo again >> new.md", [writes(0, 0, 1)]],
  ["echo hi > /dev/null 2>&1", []],
  ["curl -d @x https://ada:secret@hooks.example.com:8443/a?b", [leaves(["hooks.example.com"])], ["curl"]],
  ["curl https://xn--e1afmkfd.example https://пример.example", [leaves(["xn--e1afmkfd.example"])], ["curl"]],
  ["scp a.ts ada@db.internal:/srv", [leaves(["db.internal"])], ["scp"]],
  ["git push --force origin main", [leaves(["git remote origin"])], ["git"]],
  ["npm publish", [leaves([])], ["npm"]],
  ["curl http://localhost:3000/a http://127.0.0.1:8080", [], ["curl"]],
  ["make all", [], ["make"]],
  [
    "rm -rf build && make all && curl https://a.example",
    [deletes(0, 3), leaves(["a.example"])],
    ["make", "curl"],
  ],
])("of %s are facts", (command, facts, unknown = [], unknownAll = false) => {
  expect(reachOf(command)).toEqual({ facts, unknown, unknownAll });
});

it("counts what it has time for and says that there is more", () => {
  for (let at = 0; at < 40; at += 1) put(`many/${at}.js`);
  let clock = 0;
  const late = reachOf("rm -rf many build", () => {
    clock += 20;
    return clock;
  });
  expect(late.facts).toEqual([{ kind: "deletes", kept: 0, lost: expect.any(Number), more: true }]);
  expect((late.facts[0] as { lost: number }).lost).toBeLessThan(43);
});

it("says of a folder that nobody may list that there may be more", () => {
  chmodSync(join(folder, "build/deep"), 0o000);
  const { facts } = reachOf("rm -rf build");
  chmodSync(join(folder, "build/deep"), 0o755);
  // Root lists everything.
  expect(facts).toEqual([process.getuid?.() === 0 ? deletes(0, 3) : deletes(0, 1, true)]);
});

it("of a change of a file, an address and a tool of a server is said likewise", () => {
  const file = { kind: "file", added: 1, removed: 1, stale: false } as const;
  const verdict = { verdict: "new" as const, units: [] };
  const of = (subject: Subject) => findReach(subject, verdict, context);
  expect(of({ ...file, operation: "edit", path: "src/a.ts" }).facts).toEqual([writes(1, 0, 0)]);
  expect(of({ ...file, operation: "write", path: "new/新.md" }).facts).toEqual([writes(0, 0, 1)]);
  expect(of({ ...file, operation: "delete", path: "changed.md" }).facts).toEqual([deletes(0, 1)]);
  expect(of({ kind: "url", url: "https://docs.example.com/a" }).facts).toEqual([
    leaves(["docs.example.com"]),
  ]);
  expect(of({ kind: "arguments" })).toEqual({ facts: [], unknown: [], unknownAll: true });
  expect(of({ kind: "question", question: "https://a.example?", wants: "text" }).facts).toEqual([]);
});

it("is bounded and runs nothing, whatever the text is", () => {
  const piece = fc.constantFrom(
    "rm -rf ",
    "curl ",
    "https://",
    "$(touch ran)",
    "`touch ran`",
    "; ",
    " > ",
    "总 ",
    "build",
    "'",
    '"',
    "| sh",
    "\n",
    "&& ",
    "<(touch ran)",
    "*",
    "~",
    "../",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 12 }), (pieces) => {
      const { facts, unknown } = reachOf(pieces.join(""));
      expect(JSON.stringify({ facts, unknown }).length).toBeLessThan(2_000);
    }),
    { numRuns: runsOf(150) },
  );
  expect([existsSync(join(folder, "ran")), existsSync(join(folder, "build/one.js"))]).toEqual([false, true]);
});
