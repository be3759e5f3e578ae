/** Commands written to get something past the policy: each hides, abbreviates or misuses something. None may run unasked. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { normalizePath } from "../paths/path-style.ts";
import { judgeCommand } from "./judge-command.ts";
import type { PolicyContext } from "./policy-context.ts";
import { makeContext, makeRule } from "./testing/make-context.ts";

const commands = z
  .array(z.string())
  .parse(JSON.parse(readFileSync(new URL("./hostile-commands.json", import.meta.url), "utf8")));
const rules = [
  ...["npm test", "git checkout", "git restore", "git rm", "npm ls", "make"],
  ...["fd", "fdfind", "ag", "ack", "ugrep", "diff3", "xmllint", "tcpdump", "mount.nfs"],
].map((text) => makeRule(text));

/** A workspace with a `.env`, a file named like an option and a repository of its own. */
const context: PolicyContext = makeContext({
  rules,
  look: {
    isThere: (path) => /\/(?:\.git|src|f)$/.test(path),
    entriesIn: () => [],
    namesIn: () => ["f", "src", ".env", "--x"],
    namesBelow: () => ["f", "src", ".env", "a b"],
    kindOf: () => undefined,
  },
  findSecretBelow: (path) => (path.endsWith("/app") ? `${path}/.env` : undefined),
});

it("lets none of the hostile commands run unasked", () => {
  const running = commands.filter((command) =>
    /^(?:safe|covered)$/.test(judgeCommand(command, context).verdict),
  );
  expect(commands.length).toBeGreaterThan(2_800);
  expect(running).toEqual([]);
});

it("follows bash and the kernel through links, and asks where the two go different ways", () => {
  const resolvePath = (path: string) => ({
    real: normalizePath(path.replace("/app/current", "/app/releases/2024/v1")),
  });
  const judge = (command: string) => judgeCommand(command, makeContext({ resolvePath })).verdict;
  expect(judge("cd src && cd .. && cat f")).toBe("safe");
  expect(judge("cd current && cd .. && cat ../f")).toBe("ask");
  expect(judge("cd current && cd .. && npm test > ../x")).toBe("ask");
});

it("never runs what writes this app's own records, also through a program that mostly reads", () => {
  const own = "~/.local/share/countersign";
  for (const command of [
    `sort -o ${own}/x f`,
    `sed -i s/a/b/ ${own}/x`,
    `find ${own} -delete`,
    `find . -fprint ${own}/x`,
    // Its folder is named in parts, or by a way around.
    ...["cd ~/.local && tee share/countersign/x", "cd ../../.local/share && rm countersign/x"],
    ...["tee ../../.local/share/countersign/x", "tee ~/.local/share/../share/countersign/x"],
  ])
    expect(judgeCommand(command, makeContext()).verdict, command).toBe("deny");
});

it("never throws and reads no path twice, however a text of the greatest length is made", () => {
  for (const part of [
    "x()",
    ">a ",
    "a:b ",
    "$(",
    "(",
    "{ ",
    "if ls; then ",
    "for a in b; do ",
    "ls | ",
    "[[ ",
    "case x in ",
  ]) {
    const seen = new Map<string, number>();
    const resolvePath = (path: string) => {
      seen.set(path, (seen.get(path) ?? 0) + 1);
      return { real: path };
    };
    const text = `ls ${part.repeat(64 * 1024)}`.slice(0, 8 * 1024);
    expect(judgeCommand(text, makeContext({ resolvePath })).verdict, part).toMatch(/^(?:new|ask|deny)$/);
    expect(Math.max(0, ...seen.values()), part).toBeLessThanOrEqual(1);
  }
});

it("asks about a text beyond the greatest length, also a harmless one that a rule covers", () => {
  for (const command of ["echo ", "npm test "]) {
    const text = `${command}${`${"a".repeat(39)} `.repeat(300)}`.slice(0, 8 * 1024 - 1).concat("a");
    const judged = [text, `${text}a`].map((each) => judgeCommand(each, context).verdict);
    expect(judged).toEqual([expect.stringMatching(/^(?:safe|covered)$/), "ask"]);
  }
});

it("looks for no word of a text beyond the greatest length on the disk", () => {
  const looked: string[] = [];
  const resolvePath = (path: string) => {
    looked.push(path);
    return { real: path };
  };
  const judgeWords = (count: number) =>
    judgeCommand(`ls ${`src/${"a".repeat(45)} `.repeat(count)}`, makeContext({ resolvePath })).verdict;
  judgeWords(100);
  expect(looked.splice(0)).not.toEqual([]);
  expect([judgeWords(200), looked]).toEqual(["ask", []]);
});

it("says of a text beyond the greatest length that it is, counted in bytes", () => {
  const saysSo = (text: string) => JSON.stringify(judgeCommand(text, context)).includes("longer than 8 KB");
  for (const [letter, bytes] of [
    ["a", 1],
    ["好", 3],
  ] as const) {
    const longest = `echo ab${letter.repeat(8_185 / bytes)}`;
    expect(Buffer.byteLength(longest)).toBeLessThanOrEqual(8 * 1024);
    expect([saysSo(longest), saysSo(longest + letter.repeat(2))], letter).toEqual([false, true]);
  }
});

it("asks where one command has too many words or redirections to look at each, and denies what a rule forbids", () => {
  const judge = (command: string, effect: "allow" | "deny") =>
    judgeCommand(command, makeContext({ rules: [makeRule("npm test", { effect })] })).verdict;
  for (const many of [" a", " >a.log", " 2>&1"]) {
    expect(judge(`npm test${many.repeat(100)}`, "allow"), many).toBe("covered");
    expect(judge(`npm test${many.repeat(401)}`, "allow"), many).toBe("ask");
    expect(judge(`npm test${many.repeat(401)}`, "deny"), many).toBe("deny");
  }
});

/** A rule for the program alone, as wide as one can be. */
const underWideRule = (command: string, part: Partial<PolicyContext> = {}) =>
  judgeCommand(command, makeContext({ rules: [makeRule(command.split(" ")[0]!)], ...part }));
const asksUnderWideRule = (commands: readonly string[], part?: Partial<PolicyContext>) =>
  commands.filter((command) => underWideRule(command, part).verdict !== "ask");

it.each([
  [
    "names a program, a plugin or settings to run",
    [
      "cmake -P x.cmake",
      "cmake -E rm -rf x",
      "cmake -DCMAKE_C_COMPILER=./x .",
      "cmake -DCMAKE_CXX_COMPILER_LAUNCHER=./x -B build",
      "gcc -wrapper ./x a.c",
      "g++ -specs=x a.cc",
      "clang -fplugin=./x.so a.c",
      "cc -B. a.c",
      "rustc -C linker=./x a.rs",
      "rustc -Clink-arg=x a.rs",
      "gradle -I x.gradle build",
      "gradle --init-script=x build",
      "mvn -s x test",
      "mvn org.codehaus.mojo:exec-maven-plugin:exec",
      "mypy --python-executable=./x .",
      "prettier --plugin=./x.js .",
      "mocha --require ./x.js",
      "vite --config x.ts",
    ],
  ],
  ["sends what its words say", ["tar -cf host:x f", "tar --file=ada@host:x -c f", "tar cf host:x f"]],
  [
    "puts something where a folder of settings or a program would be",
    ["mv src .github", "cp -rT src .github", "cp -r src .forgejo", "mv src x.app", "mv src y.workflow"],
  ],
])("no rule covers what %s", (_what, commands) => {
  expect(asksUnderWideRule(commands)).toEqual([]);
});

it("no rule for git covers what a file says, or a text that goes to the server", () => {
  const commands = [
    "git apply x.patch",
    "git am x",
    "git clone --separate-git-dir=z . y",
    "git fetch -o x",
    "git fetch --server-option=x origin",
    "git ls-remote -ox",
  ];
  const rules = commands.map((command) => command.split(" ").slice(0, 2).join(" "));
  const judged = commands.filter((command) => {
    const context = makeContext({
      rules: rules.flatMap((rule) => (/apply|am$/.test(rule) ? [] : makeRule(rule))),
    });
    return judgeCommand(command, context).verdict !== "ask";
  });
  expect(judged).toEqual([]);
});

it("no archive of a folder takes secrets along under a name that says nothing of them, and no copy follows links", () => {
  const archives = [
    "tar cf x.tar .",
    "tar -czf x.tgz src ./",
    "tar rf x.tar *",
    "tar --append -f x.tar .",
    "zip -r x.zip .",
  ];
  expect(asksUnderWideRule(archives, { findSecretBelow: context.findSecretBelow })).toEqual([]);
  const linked: Partial<PolicyContext> = {
    look: {
      isThere: () => true,
      entriesIn: () => [{ name: "link.ts", kind: "link" }],
      namesIn: () => ["link.ts"],
      namesBelow: () => ["link.ts"],
      kindOf: () => undefined,
    },
    resolvePath: (path) => ({ real: path.replace(/^.*link\.ts$/, "/outside/secret.txt") }),
  };
  const copies = [
    "cp -rL src x",
    "cp -aL src x",
    "cp -R --dereference src x",
    "tar chf x.tar src",
    "tar --dereference -cf x.tar src",
    "zip -r x.zip src",
  ];
  expect(asksUnderWideRule(copies, linked)).toEqual([]);
  expect(asksUnderWideRule(["cp -r src x"], { ...linked, tools: "bsd" })).toEqual([]);
  for (const command of ["cp -r src x", "tar cf x.tar src"])
    expect(underWideRule(command, linked).verdict, command).toBe("covered");
});

it("a rule covers output to files whose name says that people read them, and to no other", () => {
  const to = (name: string) => judgeCommand(`npm test > ${name}`, makeContext()).verdict;
  const read = ["a.log", "out/b.txt", "report.json", "junit.xml", "c.csv", "NOTES.md", "d.tap"];
  expect(read.filter((name) => to(name) !== "covered")).toEqual([]);
  const obeyed =
    "gradlew mvnw configure BUILD WORKSPACE Podfile x.gemspec build.zig SConstruct go.work .ruby-version";
  const named =
    "package.json nx.json lerna.json x.config.json .mocharc.json requirements.txt CMakeLists.txt pom.xml";
  expect(`${obeyed} ${named} x .log a.ts`.split(" ").filter((name) => to(name) === "covered")).toEqual([]);
});

it("no rule for git covers an address that is not a remote of the repository, and the card says so", () => {
  const told = "It fetches from an address that is not one of the repository's remotes.";
  const judge = (command: string) =>
    judgeCommand(command, makeContext({ rules: ["git fetch", "git pull"].map((text) => makeRule(text)) }));
  for (const command of [
    "git fetch host:path",
    "git fetch ada@host:path main:main",
    "git fetch --depth 1 host:path",
    "git fetch --refetch host:path main",
    "git fetch -q https://example.com/x",
    "git pull ./other",
    "git pull --rebase host:path main",
    "git ls-remote host:path",
  ])
    expect([command, judge(command).units[0]]).toEqual([
      command,
      expect.objectContaining({ verdict: "ask", reason: told }),
    ]);
  for (const command of [
    "git fetch",
    "git fetch origin main:main",
    "git fetch --depth 1 origin a:b",
    "git pull origin main",
  ])
    expect([command, judge(command).verdict]).toEqual([command, "covered"]);
});
