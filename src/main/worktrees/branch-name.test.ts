import { describe, expect, it } from "vitest";
import { nameBranch, slugOf } from "./make-worktree.ts";

describe("the name of a branch", () => {
  it("has plain letters only, and is none that is there", () => {
    expect(slugOf("Größe prüfen: `rm -rf /` & más…")).toBe("gro-e-prufen-rm-rf-mas");
    expect(slugOf("日本語")).toBe("thread");
    expect(nameBranch("Rows", [])).toBe("countersign/rows");
    expect(nameBranch("Rows", ["countersign/Rows", "countersign/rows-2/x"])).toBe("countersign/rows-3");
    expect(nameBranch("Rows", ["countersign"])).toBe("countersign-rows");
  });
});
