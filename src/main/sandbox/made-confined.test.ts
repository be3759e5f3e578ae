import { expect, it } from "vitest";
import { asideName, tellAside } from "./made-confined.ts";

it("says what was moved aside by the names it has now, some of many, and lets no name hide or turn the words", () => {
  const names = ["AGENTS.md", "a\u202eb/.git/hooks", "c\nd/.git/config"].map((name) => asideName(name, 1));
  const text = tellAside(names);
  expect(text).toContain(
    "now AGENTS.md.made-confined, a<U+202E>b/.git/hooks.made-confined, c<U+000A>d/.git/config.made-confined. To take",
  );
  const many = Array.from({ length: 5_000 }, (_, at) => asideName(`r${at}/.git/hooks`, at));
  expect(tellAside(many)).toContain(", 4992 more. To take");
  expect(tellAside([`${"x".repeat(100_000)}/.git/hooks`])).toContain("now 1 more. To take");
});
