import { expect, it } from "vitest";
import { proposeMessage } from "./pull-request.ts";

it("a message is proposed from the title and the files", () => {
  expect(proposeMessage("Fix\nthe rows", ["a.txt"])).toBe("Fix the rows\n\n- a.txt");
  expect(proposeMessage("", [])).toBe("Changes of a thread");
  expect(proposeMessage("日".repeat(100), []).length).toBe(72);
});
