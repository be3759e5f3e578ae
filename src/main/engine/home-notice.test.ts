import { expect, it } from "vitest";
import type { TakeBack } from "../undo/take-back-store.ts";
import { homeNotice } from "./undo-desk.ts";

it("shows what could hide or turn the words in the names of branches and folders", () => {
  const what = { home: { way: "merge", branch: "a\u202eb", target: "c\u200bd" }, root: "/shop\n", files: [] };
  const done = { id: "h", what } as unknown as TakeBack;
  const said = (["forth", "back"] as const)
    .map((way) => homeNotice(done, way))
    .map((one) => "text" in one && one.text);
  expect(said[0]).toContain("You merged a<U+202E>b into c<U+200B>d. 0 files changed in /shop<U+000A>.");
  expect(said[1]).toContain("a<U+202E>b home");
});
