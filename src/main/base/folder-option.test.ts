import { resolve } from "node:path";
import { expect, it } from "vitest";
import { folderOf } from "./folder-option.ts";

it("takes a path, or none, and refuses the empty text that an unset variable leaves", () => {
  expect(folderOf("--data-dir", undefined)).toBeUndefined();
  expect(folderOf("--data-dir", "data")).toBe(resolve("data"));
  for (const empty of ["", " ", "\t"])
    expect(() => folderOf("--data-dir", empty)).toThrow("--data-dir is empty. Give the path of a folder");
});
