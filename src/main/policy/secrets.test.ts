/** One table of secret names: what follows from it, held against a real folder that holds one of each. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookAtDisk } from "./disk.ts";
import { couldMatchSecret } from "./file-pattern.ts";
import { judgeCommand } from "./judge-command.ts";
import { haveCommonName, readShellPattern } from "./name-pattern.ts";
import { secretAlternatives } from "./secret-names.ts";
import { classifyName } from "./sensitive-names.ts";
import { makeContext } from "./testing/make-context.ts";

/** A name that the alternative stands for. */
const sampleOf = (name: string): string => name.replaceAll("*", "x");
const base = { workspace: "/w", home: "/h" };
const isSecret = (path: string) => classifyName(`/w/${path}`, base).secret !== undefined;

describe("each alternative of the table of secrets", () => {
  it.each(secretAlternatives)("$name counts in every way it is looked at", ({ name, folder }) => {
    const sample = sampleOf(name);
    expect(isSecret(folder ? `${sample}/inside` : sample)).toBe(true);
    expect(isSecret(sample.toUpperCase() + (folder ? "/inside" : ""))).toBe(true);
    const hidden = sample.startsWith(".") ? 2 : 1;
    expect(couldMatchSecret(`${sample.slice(0, hidden)}*`)).toBeDefined();
    expect(couldMatchSecret(`${sample.slice(0, -1)}?`)).toBe("aimed");
    expect(couldMatchSecret(`${sample.slice(0, -1)}[${sample.at(-1)}]`)).toBe("aimed");
    expect(couldMatchSecret(`${sample.slice(0, -1)}[[:alpha:]]`)).toBe("aimed");
    expect(couldMatchSecret(`${sample.slice(0, -1)}[!]a]`)).toBe("aimed");
    expect(couldMatchSecret(`${sample.slice(0, -1)}[\\]${sample.at(-1)}]`)).toBe("aimed");
    if (folder) return;
    for (const copy of ["~", ".bak", ".old", ".orig", ".save"])
      expect(isSecret(sample + copy), copy).toBe(true);
  });

  it.each([
    ".env.example",
    "example.env",
    "id_rsa.pub",
    "README.md",
    "src/token.ts",
    "tokenizer.json",
    ".git/HEAD",
    "keys.ts",
  ])("%s is none", (name) => expect(isSecret(name)).toBe(false));
});

describe("patterns of names", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 5 });
  it("have a name in common when there is one", () => {
    const hole = fc.constantFrom("*", "?", "[ab]");
    fc.assert(
      fc.property(text, fc.nat(5), fc.nat(5), hole, hole, (name, at, from, one, other) => {
        const punch = (place: number, mark: string) =>
          mark === "*"
            ? name.slice(0, place) + mark + name.slice(place)
            : name.slice(0, place) + (place < name.length ? mark + name.slice(place + 1) : "");
        const [a, b] = [punch(Math.min(at, name.length), one), punch(Math.min(from, name.length), other)];
        expect(haveCommonName(readShellPattern(a), readShellPattern(b)), `${a} ${b}`).toBe(true);
      }),
    );
  });

  it("have none when their fixed parts differ", () => {
    for (const [a, b] of [
      ["a*", "b*"],
      ["*a", "*b"],
      ["a?", "abc"],
      ["a", ""],
      ["*a*b", "*b*a."],
    ] as const)
      expect(haveCommonName(readShellPattern(a), readShellPattern(b)), `${a} ${b}`).toBe(false);
  });
});

describe("searches on a real disk", () => {
  let folder: string;
  let clean: string;
  let dirty: string;

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "policy-secrets-")));
    clean = join(folder, "clean");
    dirty = join(folder, "dirty");
    for (const [root, secret] of [
      [clean, undefined],
      [dirty, ".env"],
    ] as const) {
      mkdirSync(join(root, "src"), { recursive: true });
      mkdirSync(join(root, "node_modules/x"), { recursive: true });
      mkdirSync(join(root, "keys"));
      writeFileSync(join(root, "src/a.ts"), "x");
      writeFileSync(join(root, "README.md"), "x");
      writeFileSync(join(root, "package.json"), "{}");
      writeFileSync(join(root, "node_modules/x/cert.pem"), "x");
      execFileSync("git", ["init", "-q", root]);
      if (secret) writeFileSync(join(root, secret), "A=b");
    }
    writeFileSync(join(dirty, "keys/server.pem"), "x");
    execFileSync("git", ["-C", dirty, "remote", "add", "origin", "https://me:pw@example.com/x"]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const judgeIn = (root: string, command: string): string =>
    judgeCommand(command, makeContext({ workspace: root, cwd: root, ...lookAtDisk(root) })).verdict;

  const searches = [
    // A name, a count or an exit code tells of a secret what one asks of it.
    "grep -rl x .",
    "grep -rc x .",
    "grep -rq x .",
    "rg -l --hidden x",
    "grep -r '' .",
    "grep -rC99 NODE_ENV .",
    "grep -rz NODE_ENV .",
    "grep -d recurse '' .",
    "grep -drecurse '' .",
    "grep --directories=recurse '' .",
    "grep -rn -e NODE_ENV -f README.md .",
    "grep -rE '(foobar)?' .",
    "grep -rP '(?#word)' .",
    "grep -rv zzz .",
    "grep -rn sk_live .",
    "grep -rn x",
    "grep -rn x . --include='*'",
    "grep -rn x . --include='.e*'",
    "grep -r x . --include='*.{env,ts}'",
    "grep -r -e --include=zzz .",
    "grep -r --label --include=zzz '' .",
    "grep -r -- --include=zzz .",
    "grep -rn x keys",
    "grep -rn x . --exclude=.env",
    // Of contradicting options the last counts, and what none of them matches is left to the first.
    "grep -rn x . --exclude=zzz --include='*.ts'",
    "grep -rn x . --exclude-from=README.md --include='*.ts'",
    "grep -rn x . --exclude=.env --exclude='*.pem' --include='.e*'",
    "grep -rn x . --include='*.ts' --exclude='*' --include='*.env'",
    "rg --hidden --passthru x",
    "rg --iglob '*.PEM' x",
    "rg -uu x",
    "rg --hidden -C99 x",
    "rg -g '.env' ''",
    "rg -g '.e*' -l --json ''",
    "rg ''",
    "rg x keys",
    "diff -r . src",
    "diff -rN . src",
    "diff --recursive src .",
    "diff -rq . src",
    "find . -exec wc -c {} +",
    "find . -type f | xargs wc",
    "find keys -exec wc {} +",
    "cd keys && find . -type f -exec wc {} +",
    "git grep --untracked ''",
    "git grep ''",
    "cat keys/*",
    "head -n 99 keys/*",
    "wc -l *; cat keys/*.pem",
    "cd src && grep -r '' ..",
    "git remote -v",
  ];
  it.each(searches)("asks about %s where it would come by a secret", (command) => {
    expect(judgeIn(dirty, command)).toBe("ask");
  });
  it.each(searches.filter((command) => !/\.e|\{env|keys\/\*\.pem|label/.test(command)))(
    "lets %s run where there is none",
    (command) => {
      expect(judgeIn(clean, command)).toBe("safe");
    },
  );

  it.each([
    "grep -rn x src",
    "grep -rnE 'a|b' src",
    "grep -rn x . --include='*.ts'",
    "grep -rn --include '*.ts' --include '*.md' x .",
    "grep -rn x . --exclude=.env --exclude-dir=keys --exclude-dir=.git",
    "grep -rn x . --include='*.ts' --exclude='*.test.ts'",
    "rg -g '*.ts' x",
    "rg x src",
    "find . -name '*.ts' -exec wc -l {} +",
    "find src | xargs wc -l",
    "find . -type f -exec stat {} +",
    "wc -l src/*",
    "cat src/*.ts",
    "cat *.md",
    "git remote",
  ])("lets %s run beside a secret that it does not come by", (command) => {
    expect(judgeIn(dirty, command)).toBe("safe");
  });

  it.each([
    "find . -type f -exec grep -l x {} +",
    "cat .git/conf*",
    "cat .git/?onfig",
    "grep -r url .git",
    "grep -r url ./.git/",
    "cat .e*",
    "cat *.pem",
    "cat .yarnrc*",
    "cat *.p8 *.pfx *.ppk",
    "cat .env~",
    "cat .dev.vars",
    "cat kubeconfig",
    "cat terraform.tfstate.backup",
    "cat .git/config",
  ])("asks about %s wherever it is", (command) => {
    expect(judgeIn(clean, command)).toBe("ask");
    expect(judgeIn(dirty, command)).toBe("ask");
  });

  it("finds tokens in settings of git wherever they lie", () => {
    const repository = mkdtempSync(join(realpathSync(tmpdir()), "tokens-"));
    const token = '[remote "origin"]\n url = https://u:token@h/x\n';
    const write = (path: string, text: string) => {
      mkdirSync(join(repository, path, ".."), { recursive: true });
      writeFileSync(join(repository, path), text);
    };
    for (const folder of ["mirror.git", "bare", ".git", ".git/modules/libs/a"])
      for (const name of ["HEAD", "config", "objects/x"]) write(`${folder}/${name}`, "");
    const verdictWith = (path: string, text: string, command: string) => {
      write(path, text);
      const context = makeContext({ workspace: repository, cwd: repository, ...lookAtDisk(repository) });
      const { verdict } = judgeCommand(command, context);
      write(path, "");
      return verdict;
    };
    try {
      expect(verdictWith("x", "", "grep -rn url .")).toBe("safe");
      for (const path of [
        ...[".git/modules/libs/a/config", ".git/worktrees/w/config.worktree", ".git/team.conf"],
        ...["mirror.git/config", "bare/config"],
      ]) {
        expect([path, verdictWith(path, token, "grep -rn url .")]).toEqual([path, "ask"]);
        rmSync(join(repository, path));
      }
      const cloned = "0 1 A <a@b> 1 +0000\tclone: from https://u:t@h/x\n";
      expect(verdictWith(".git/logs/HEAD", cloned, "grep -rn url .")).toBe("ask");
      expect(verdictWith("mirror.git/config", token, "cat */config")).toBe("ask");
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  });

  it("knows what git holds by the repository's index", () => {
    writeFileSync(join(clean, "kept.txt"), "kept");
    writeFileSync(join(clean, "changed.txt"), "before");
    execFileSync("git", ["-C", clean, "add", "kept.txt", "changed.txt"]);
    writeFileSync(join(clean, "changed.txt"), "after it was added");
    writeFileSync(join(clean, "loose.txt"), "x");
    expect(judgeIn(clean, "rm kept.txt")).toBe("new");
    expect(judgeIn(clean, "rm absent.txt")).toBe("new");
    expect(judgeIn(clean, "rm changed.txt")).toBe("ask");
    expect(judgeIn(clean, "rm loose.txt")).toBe("ask");
    expect(judgeIn(clean, "rm src/a.ts")).toBe("ask");
  });
});
