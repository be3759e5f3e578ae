/** A part of another package that is bundled in another form is noticed when it is not there any more, or not as it was. */
import { expect, test } from "vitest";
import { packageParts } from "./package-parts.mjs";

const part = { file: /[\\/]other[\\/]client\.js$/, change: (code) => code.replace("slow", "quick") };
const parts = (...of) => packageParts(of);

test("a file is changed wherever it lies, and no other", () => {
  const { transform, buildEnd } = parts(part);
  expect(transform("slow", "C:\\n\\other\\client.js")).toBe("quick");
  expect(transform("slow", "/n/other/client.js")).toBe("quick");
  expect(transform("slow", "/n/another/client.js")).toBeUndefined();
  buildEnd();
});

test("two parts of one file are both changed", () => {
  const { transform, buildEnd } = parts(part, { ...part, change: (code) => code.replace("big", "small") });
  expect(transform("slow and big", "/n/other/client.js")).toBe("quick and small");
  buildEnd();
});

test("one that is not as it was, or not there, ends the build, which says which", () => {
  expect(() => parts(part).transform("new", "/n/other/client.js")).toThrow(
    "/n/other/client.js is not as it was",
  );
  expect(() => parts(part).buildEnd()).toThrow("client");
});

test("of several files some may be as they are, but not all", () => {
  const { transform, buildEnd } = parts({ ...part, file: /[\\/]other[\\/]\w+\.js$/, some: true });
  expect(transform("new", "/n/other/a.js")).toBeUndefined();
  expect(() => buildEnd()).toThrow();
  transform("slow", "/n/other/b.js");
  buildEnd();
});

test("a build that failed for another reason says that one", () => {
  parts(part).buildEnd(new Error("no room"));
});
