import { expect, it } from "vitest";
import { fileOfProgram } from "./find-program.ts";

it("names the file as the system starts it", () => {
  expect([fileOfProgram("gh", "win32"), fileOfProgram("gh", "linux")]).toEqual(["gh.exe", "gh"]);
});
