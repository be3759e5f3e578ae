import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { judgeCommand } from "./judge-command.ts";
import { makeContext, makeRule } from "./testing/make-context.ts";
import { widthOf } from "./width-of.ts";

const widthIn = (command: string, rules: string[] = []) =>
  widthOf(judgeCommand(command, makeContext({ trusted: true, rules: rules.map((text) => makeRule(text)) })));

describe("how far a command may reach", () => {
  it.each([
    ["ls -la && git status", "read-only"],
    ["npm test", "workspace"],
    ["python x.py > out", "workspace"],
    ["$X --all", "workspace"],
    ["rm -rf build", "workspace"],
    ["git commit -m done", "workspace and git"],
    ["npm test && git add -A", "workspace and git"],
    ["timeout 30 git stash", "workspace and git"],
    ["npm install", "workspace; network"],
    ["npm install -g left-pad", "outside"],
    ["pip install --user x", "outside"],
    ["npm publish", "outside"],
    ["curl -o ~/x https://example.org", "outside"],
    ["curl https://example.org > ../x", "outside"],
    ["pip install x && sudo make install", "outside"],
    ["git commit -m x && npm ci", "workspace and git; network"],
    ["cp a ../b", "outside"],
    ["cp -t ../b a", "outside"],
    ["cp ../a b", "workspace"],
    ["mv a ~/b", "outside"],
    ["mv ../a b", "outside"],
    ["mkdir -p /opt/x", "outside"],
    ["touch -- ../-x", "outside"],
    ["rm ../*.log", "outside"],
    ["ln -s ../a b", "workspace"],
    ["ln -s a ../b", "outside"],
    ["python x.py > ../out", "outside"],
    ["npm test 2>&1 > /dev/null", "workspace"],
    ["sed -i s/a/b/ ../x", "outside"],
    ["tar xf a.tar -C /opt", "outside"],
    ["dd if=a of=../b", "outside"],
    ["git worktree add ../other", "outside"],
    ["cd src && cp a ../b", "workspace"],
    ["cd src && cp a ../../b", "outside"],
    ["cp a /tmp/b", "outside"],
    ["tee ../log < a", "outside"],
    ["git push", "outside"],
    ["git fetch origin", "outside"],
    ["curl https://example.org", "workspace; network"],
    ["docker ps", "outside"],
    ["ssh host uptime", "outside"],
    ["sudo make install", "outside"],
    ["kill 1234", "outside"],
    ["git config user.name me", "outside"],
    ["npm test && npm install left-pad", "workspace; network"],
  ])("%s: %s", (command, width) => {
    expect(widthIn(command)).toBe(width);
  });

  it("is as far for what a rule covers: a rule for what needs the network is a yes to just that", () => {
    expect(widthIn("npm test -- --run", ["npm test"])).toBe("workspace");
    expect(widthIn("git commit -m x", ["git commit"])).toBe("workspace and git");
    expect(widthIn("npm install left-pad", ["npm install"])).toBe("workspace; network");
    expect(widthIn("git fetch origin", ["git fetch"])).toBe("outside");
  });

  it("takes the folders that the person named, for what writes", () => {
    const judged = (command: string) => judgeCommand(command, makeContext({ trusted: true }));
    expect(widthOf(judged("npm test"), ["/b", "/a"])).toBe('workspace; folders ["/a","/b"]');
    expect([widthOf(judged("ls"), ["/a"]), widthOf(judged("sudo x"), ["/a"])]).toEqual([
      "read-only",
      "outside",
    ]);
  });

  it("is outside for whatever writes at a place outside, however that is written", () => {
    const writers = [
      "cp a",
      "mv a",
      "ln a",
      "install a",
      "touch",
      "mkdir",
      "tee",
      "rm",
      "echo x >",
      "echo x >>",
    ];
    const climb = fc.constantFrom(
      "../b",
      "./../b",
      "src/../../b",
      "/home/ada/code/b",
      "~/b",
      "'../b'",
      "..//b",
    );
    const inside = fc.constantFrom("b", "./b", "src/../b", "/home/ada/code/app/b", "~/code/app/b");
    fc.assert(
      fc.property(fc.constantFrom(...writers), climb, inside, (writer, out, within) => {
        expect([writer, out, widthIn(`${writer} ${out}`)]).toEqual([writer, out, "outside"]);
        expect([writer, within, widthIn(`${writer} ${within}`)]).toEqual([writer, within, "workspace"]);
      }),
      { numRuns: runsOf(100) },
    );
  });

  it("is never the repositories' for what does not say git in a part of its own", () => {
    const word = fc.constantFrom(
      "npm",
      "test",
      "make",
      "git",
      "python",
      "x.git",
      "./git",
      "'git'",
      "gitk",
      "$G",
      "commit",
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        const width = widthIn(words.join(" "));
        const verdict = judgeCommand(words.join(" "), makeContext({ trusted: true }));
        if (width === "workspace and git")
          expect(verdict.units.some(({ text }) => /^git /.test(`${text} `))).toBe(true);
      }),
      { numRuns: runsOf(300) },
    );
  });
});
