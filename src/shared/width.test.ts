/** A width is one text: what was written is read again, and nothing else is a width. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { anyCharacter } from "./testing/any-character.ts";
import { isWidth, type Reach, reachesBeyond, readWidth, writeWidth } from "./width.ts";

const reaches = fc.record({
  files: fc.constantFrom("workspace", "workspace and git"),
  grant: fc.constantFrom(undefined, "network", "sockets"),
  folders: fc.uniqueArray(
    fc.string({ unit: anyCharacter }).map((text) => `/${text}`),
    { maxLength: 8 },
  ),
}) as fc.Arbitrary<Reach>;

it("says what it was written of, whatever the folders are called and however they were put in order", () => {
  fc.assert(
    fc.property(reaches, (reach) => {
      const width = writeWidth(reach);
      expect(isWidth(width)).toBe(true);
      expect(readWidth(width)).toEqual({ ...reach, folders: reach.folders.toSorted() });
      expect(writeWidth({ ...reach, folders: reach.folders.toReversed() })).toBe(width);
      expect(reachesBeyond(width)).toBe(reach.grant !== undefined);
    }),
  );
});

it("has neither grants nor folders where nothing is written", () => {
  expect(writeWidth({ files: "none", grant: "network", folders: ["/x"] })).toBe("read-only");
  expect([reachesBeyond("read-only"), reachesBeyond("outside")]).toEqual([false, true]);
});

it.each([
  "",
  "everything",
  "workspace; network; sockets",
  "workspace; sockets; network",
  "read-only; network",
  "outside; network",
  'workspace; folders ["b"]',
  'workspace; folders ["/b","/a"]',
  'workspace; folders ["/a"] ',
  "workspace; folders []",
  "workspace; folders [1]",
  `workspace; folders ${JSON.stringify(Array.from({ length: 9 }, (_, at) => `/${at}`))}`,
  `workspace; folders ["/${"a".repeat(40_000)}"]`,
])("is not %s", (text) => {
  expect(isWidth(text)).toBe(false);
});
