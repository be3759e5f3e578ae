/** The window's first colour is the page's, in both themes. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { windowBackground } from "./window-background.ts";

it("is the ground of the page in light and in dark", async () => {
  const tokens = await readFile(new URL("../../renderer/styles/tokens.css", import.meta.url), "utf8");
  const [, light, dark] = /--bg: light-dark\((#\w+), (#\w+)\)/.exec(tokens) ?? [];
  expect(windowBackground).toEqual({ light, dark });
});
