import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { personPath } from "./person-path.mjs";
import { root } from "./project.mjs";

const list = (...entries) => entries.join(delimiter);

it.skipIf(process.platform === "win32")("is what it was before the real npm started a script", () => {
  const before = list("/a folder/bin", "/usr/local/bin", "/usr/bin", "/bin");
  const node = process.execPath;
  const npm = spawnSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).stdout.trim();
  const { stdout } = spawnSync(node, [npm, "exec", "--offline", "-c", 'echo "$PATH"'], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, PATH: before },
  });
  const inScript = stdout.trim();
  expect(inScript).not.toBe(before);
  expect(personPath(inScript, root)).toBe(before);
});

it.skipIf(process.platform === "win32")("keeps an entry of the person's own, whatever it is called", () => {
  const own = list("/home/me/bin", "/home/me/src/node_modules/.bin", "/x/node-gyp-bin");
  expect(personPath(own, "/home/me/src/app")).toBe(own);
  const started = list(
    "/home/me/src/app/node_modules/.bin",
    "/home/me/src/node_modules/.bin",
    "/npm/node-gyp-bin",
  );
  expect(personPath(list(started, own), "/home/me/src/app")).toBe(own);
});

it("takes away nothing but a beginning, over arbitrary paths", () => {
  const entry = fc.string().filter((text) => !text.includes(delimiter));
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), (entries) => {
      const path = list(...entries);
      expect(path.endsWith(personPath(path, root))).toBe(true);
    }),
    { numRuns: 200 },
  );
});
