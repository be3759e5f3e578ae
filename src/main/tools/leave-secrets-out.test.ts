import { describe, expect, it } from "vitest";
import { secretAlternatives } from "../policy/secret-names.ts";
import { describeLeftOut, isLeftOut } from "./leave-secrets-out.ts";

const leaves = isLeftOut("/home/ada/app");

describe("what the search tool leaves out", () => {
  it.each(secretAlternatives)("holds $name", ({ name, folder }) => {
    const sample = name.replaceAll("*", "x");
    expect(leaves(`/home/ada/app/src/${sample}${folder ? "/inside" : ""}`)).toBe(true);
  });

  it("holds all of Git's own data and no ordinary file", () => {
    for (const path of [".git/config", ".git/HEAD", ".git/logs/HEAD", "sub/.git/config"])
      expect(leaves(`/home/ada/app/${path}`), path).toBe(true);
    for (const path of ["src/a.ts", "README.md", ".gitignore", ".env.example", ".github/workflows/ci.yml"])
      expect(leaves(`/home/ada/app/${path}`), path).toBe(false);
  });

  it("is told in words", () => {
    expect(describeLeftOut(1)).toContain("1 file that may hold secrets was");
    expect(describeLeftOut(3)).toContain("3 files that may hold secrets were");
  });
});
