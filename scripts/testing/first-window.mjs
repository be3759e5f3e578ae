/** Set-up of each file of component tests: they share one page, and what a file finds must not hang on the one before. */
import { beforeAll } from "vitest";
import { page } from "vitest/browser";

const [width, height] = [1280, 800];

beforeAll(async () => {
  if (window.innerWidth !== width || window.innerHeight !== height) await page.viewport(width, height);
});
