import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../setup/project.mjs";
import { asRegExp, readAllowedSkips } from "./allowed-skips.mjs";
import { leftOutOn } from "./platform-skips.mjs";

const text = `
const isWindows = process.platform === "win32";
describe.skipIf(isWindows)("with bash", () => {
  it.runIf(!isWindows)("has modes", () => {});
  it.skipIf(process.platform === "darwin" || isWindows)(
    "reads %s",
    () => {},
  );
  it.runIf(process.platform === "linux").each([1, 2])("mounts a disk", () => {});
  it.skipIf(browser === undefined)("in a browser", () => {});
});
`;

it("knows what a file leaves out on each system", () => {
  expect(leftOutOn("win32", text)).toEqual(["with bash", "has modes", "reads %s", "mounts a disk"]);
  expect(leftOutOn("darwin", text)).toEqual(["reads %s", "mounts a disk"]);
  expect(leftOutOn("linux", text)).toEqual([]);
});

/** Whether an entry of the list stands for the title, or for a group or file around it. */
function standsFor({ pattern }, file, title, before) {
  const [entry, ...names] = pattern.split(" > ");
  if (!asRegExp(entry).test(file)) return false;
  const named = names.filter((name) => name !== "*");
  const isGroup = names.at(-1) === "*" && before.includes(`"${named.at(-1)}"`);
  return named.length === 0 || isGroup || named.some((name) => asRegExp(name).test(title));
}

const isListed = (allowed, file, title, text) =>
  allowed.some(({ tests }) =>
    tests.some((entry) => standsFor(entry, file, title, text.slice(0, text.indexOf(title)))),
  );

it.each(["linux", "darwin", "win32"])(
  "the list has each test that is left out on %s because it is that",
  (system) => {
    const allowed = readAllowedSkips(system);
    const unlisted = ["src", "scripts", "fault", "attack"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true })
        .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
        .filter((file) => /(?<!\.bsd)\.test\.(?:ts|mjs)$/.test(file) && !file.includes("platform-skips"))
        .flatMap((file) => {
          const text = readFileSync(join(root, file), "utf8");
          const titles = leftOutOn(system, text);
          return titles
            .filter((title) => !isListed(allowed, file, title, text))
            .map((title) => `${file} > ${title}`);
        }),
    );
    expect(unlisted).toEqual([]);
  },
);
