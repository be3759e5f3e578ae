/** Rules of commands: read, made, proposed and previewed. */
import { describe, expect, it } from "vitest";
import { longestRule } from "../../shared/contract/rules.ts";
import { checkRule, parseCommandRule } from "./command-rule.ts";
import { isExactRule } from "./exact-rules.ts";
import { judgeCommand } from "./judge-command.ts";
import { previewRule } from "./preview-rule.ts";
import { proposeRule } from "./propose-rule.ts";
import { makeContext, makeRule } from "./testing/make-context.ts";

describe("reading a rule", () => {
  it("splits a plain command into its words and keeps quoted words whole", () => {
    expect(parseCommandRule("npm run 'build all'", "bash")).toEqual({ tokens: ["npm", "run", "build all"] });
  });

  it.each([
    "npm test; rm x",
    "npm test > f",
    "CI=1 npm test",
    "npm $x",
    "npm *",
    "npm test &",
    "npm {a,b}",
    "",
    "cat ~/x",
    "npm test | cat",
    "'",
  ])("refuses %s, which is not the beginning of one plain command", (text) =>
    expect(parseCommandRule(text, "bash")).toHaveProperty("problem"),
  );
});

describe("minting a rule", () => {
  it.each([
    "python",
    "python3 x.py",
    "bash",
    "bash -c ls",
    "node",
    "node x.js",
    "env",
    "env npm test",
    "sudo",
    "sudo ls",
    "git",
    "npm",
    "npx",
    "xargs rm",
    "timeout 5 npm test",
    "rm -rf",
    "rm -rf node_modules",
    "git push --force",
    "git reset --hard",
    "git -c x=y log",
    "git config",
    "find . -delete",
    "sort -o",
    "sed -i",
    "curl",
    "docker",
    "ssh",
    "eval",
    "./build",
    "/usr/bin/npm test",
    "cat .env",
    "cat /etc/passwd",
    "awk",
    "npm exec",
    "dd",
    "mkfs",
    "rm -rf /",
    "command npm",
    "nice npm",
    ...["uv run", "poetry run", "bundle exec", "pdm run", "opam exec", "go run", "mix run", "coverage run"],
    ...["convert", "ffmpeg", "pandoc", "latexmk", "protoc", "just", "tox", "nx", "pipenv", "dotnet exec"],
    ...["uv run python", "poetry run bash", "uv run ./x", "bundle exec ruby", "uv run --with x pytest"],
    ...["git merge -s", "git merge --strategy=x", "git rebase -Xours", "black --config", "dune exec"],
  ])("refuses an allowing rule for %s and says why", (text) => {
    const parsed = parseCommandRule(text, "bash");
    expect(
      "problem" in parsed ? parsed.problem : checkRule({ tokens: parsed.tokens, effect: "allow" }, "bash"),
    ).toMatch(/\w+ .*\./);
  });

  it.each([
    "npm test",
    "npm run build",
    "git log",
    "git commit",
    "make",
    "cargo test",
    "rm",
    "tsc --noEmit",
    "npx vitest",
    ...["uv run pytest", "poetry run ruff", "bundle exec rspec", "convert a.png b.png", "git cherry-pick -s"],
  ])("accepts %s", (text) => {
    expect(checkRule(makeRule(text), "bash")).toBeUndefined();
  });

  it("lets any command be asked about or forbidden", () => {
    expect(checkRule(makeRule("sudo", { effect: "deny" }), "bash")).toBeUndefined();
    expect(checkRule(makeRule("git", { effect: "ask" }), "bash")).toBeUndefined();
  });
});

describe("a rule for a program whose later words load or start something", () => {
  it.each([
    ["git merge", "git merge -s x feature", "git merge --no-ff feature"],
    ["git merge", "git merge --strat=x feature", "git merge --squash feature"],
    ["git rebase", "git rebase -Xtheirs main", "git rebase main"],
    ["git rebase", "git rebase -s x main", "git rebase --onto main feature"],
    ["git pull", "git pull --strategy-option=ours", "git pull --rebase"],
    ["git pull", "git pull -sx", "git pull"],
    ["git cherry-pick", "git cherry-pick --strategy=x abc", "git cherry-pick -s abc"],
    ["git revert", "git revert -X ours abc", "git revert --no-edit abc"],
    ["uv run pytest", "uv run pytest -c x.ini", "uv run pytest -k a tests"],
    ["uv run pytest", "uv run pytest --rootdir=x", "uv run pytest -q"],
    ["bundle exec rspec", "bundle exec rspec -r ./x", "bundle exec rspec spec/a_spec.rb"],
    ["pnpm --filter app", "pnpm --filter app exec sh", "pnpm --filter app test"],
    ["yarn workspace", "yarn workspace app exec sh", "yarn workspace app test"],
    ["black", "black --config=x src", "black src"],
    ["pylint", "pylint --init-hook x src", "pylint src"],
    ["phpunit", "phpunit --bootstrap x.php", "phpunit tests"],
    ["eslint", "eslint -f ./x src", "eslint -f json src"],
    ["vitest", "vitest --reporter=./x.ts", "vitest --reporter=verbose"],
    ["jest", "jest --testEnvironment x.js", "jest --testEnvironment jsdom"],
    ["rake test", "rake test -r ./x", "rake test -v"],
    ["mix test", "mix test -r x.exs", "mix test --cover"],
  ])("%s does not cover %s, though it does %s", (rule, loading, plain) => {
    const context = makeContext({ rules: [makeRule(rule)] });
    expect(judgeCommand(loading, context).verdict).toBe("ask");
    expect(judgeCommand(plain, context).verdict).toBe("covered");
  });

  it.each(["convert a.png", "ffmpeg -i a.mp4", "pandoc a.md"])("%s is exact, whatever it says", (rule) => {
    expect(isExactRule({ ...makeRule(rule), exact: false })).toBe(true);
    expect(proposeRule(`${rule} b.png`, makeContext())).toMatchObject({ exact: true });
  });
});

describe("proposing a rule", () => {
  it.each([
    ["npm run lint -- --fix", "npm run lint"],
    ["cargo build --release", "cargo build"],
    ["make", "make"],
    ["make docs VERBOSE", "make docs"],
    ["git merge main", "git merge"],
    ["git --no-pager fetch", "git fetch"],
    ["timeout 30 cargo test", "cargo test"],
    ["ls && npm install", "npm install"],
    ["rm x y", "rm x y"],
    ["tsc --noEmit", "tsc"],
  ])("offers for %s the rule %s, which then covers it", (command, text) => {
    const proposal = proposeRule(command, makeContext());
    expect(proposal).toMatchObject({ text });
  });

  it.each([
    ["rm x y", true],
    ["mv f g", true],
    ["touch a", true],
    ["mytool ./x", true],
    ["npm install lodash", true],
    ["curl https://example.com", true],
    ["git fetch origin", true],
    ["pnpm -r test", true],
    ["yarn workspace a test", true],
    ["split data part", true],
    ["cc a b", true],
    ["prisma migrate dev", false],
    ["gh pr view 1", false],
    ["npm run lint -- --fix", false],
    ["cargo build --release", false],
    ["make docs", false],
  ])("offers for %s a rule that is exact: %s", (command, exact) => {
    expect(proposeRule(command, makeContext())).toMatchObject({ exact });
  });

  it("offers for gh a rule of three words, which covers no other deed", () => {
    const proposal = proposeRule("gh pr view 1", makeContext());
    expect(proposal).toMatchObject({ text: "gh pr view" });
    expect(checkRule(makeRule("gh pr"), "bash")).toMatch(/asks/);
  });

  it.each([
    ["pnpm -r test", "pnpm -r add evil"],
    ["yarn workspace a test", "yarn workspace a add evil"],
    ["prisma migrate dev", "prisma migrate diff"],
    ["split data part", "split data src/a.ts"],
    ["cc a b", "cc a -o src/a.ts"],
  ])("offers for %s no rule that covers %s", (command, other) => {
    const { text, exact } = proposeRule(command, makeContext()) as { text: string; exact: boolean };
    const under = (one: string) =>
      judgeCommand(one, makeContext({ rules: [makeRule(text, { exact })] })).verdict;
    expect([under(command), under(other)]).toEqual(["covered", "new"]);
  });

  it.each([
    "python3 x.py",
    "sudo ls",
    "rm -rf x",
    "rm -rf /",
    "ls",
    "npm test",
    "> f",
    "rm *",
    "npm test > package.json",
  ])("offers none for %s and explains", (command) => {
    expect(proposeRule(command, makeContext())).toHaveProperty("reason");
  });

  it("offers no git rule that an untrusted folder would ignore", () => {
    expect(proposeRule("git push", makeContext({ trusted: false }))).toHaveProperty("reason");
  });

  it("is never proposed with more characters than one may have, such as where quotes take more than in the command", () => {
    for (const count of [10, 60, 150, 300]) {
      const command = `touch ${`"${"'".repeat(20)}" `.repeat(count)}`;
      const proposal = proposeRule(command.trim(), makeContext());
      const length = "text" in proposal ? proposal.text.length : 0;
      expect([count, length > 0, length <= longestRule]).toEqual([count, count < 100, true]);
    }
  });
});

describe("previewing a rule", () => {
  it("counts the past requests that the rule would have let run, and those that a person had rejected", () => {
    const past = [
      { id: "1", command: "make all", decision: "approved" },
      { id: "2", command: "make clean", decision: "rejected" },
      { id: "3", command: "make all; sudo ls", decision: "approved" },
      { id: "4", command: "npm test", decision: "approved" },
    ] as const;
    expect(previewRule(makeRule("make"), past, makeContext())).toEqual({
      wouldApprove: 2,
      ofWhichRejected: 1,
      wouldStop: 0,
      approvedIds: ["1", "2"],
      rejectedIds: ["2"],
    });
    expect(previewRule(makeRule("npm", { effect: "deny" }), past, makeContext())).toMatchObject({
      wouldApprove: 0,
      wouldStop: 1,
    });
  });
});
