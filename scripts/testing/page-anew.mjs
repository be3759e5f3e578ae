/** Set-up of each file of component tests: they share one page, and what a file finds must not hang on the one before. */
import { afterAll, beforeAll } from "vitest";
import { page } from "vitest/browser";
import { startStoresAnew } from "../../src/renderer/testing/stores-anew.ts";

const [width, height] = [1280, 800];

beforeAll(async () => {
  if (window.innerWidth !== width || window.innerHeight !== height) await page.viewport(width, height);
});

// What a file put into a store without a console around it, the next one's console would begin with.
afterAll(startStoresAnew);
