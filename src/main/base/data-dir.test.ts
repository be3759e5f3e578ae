/** The folder that is used when none is named, on each system. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { defaultDataDir } from "./data-dir.ts";

const home = join("/", "home", "me");
const local = join(home, "AppData", "Local", "Countersign");
const roaming = join(home, "AppData", "Roaming", "Countersign");

it.each([
  ["a new one in the local profile", [], local],
  ["data that lies in the roaming profile stays there", [roaming], roaming],
  ["the local one once it is there, whatever an older version makes later", [local, roaming], local],
])("on Windows: %s", (_name, there, expected) => {
  expect(defaultDataDir("win32", {}, home, (path) => there.includes(String(path)))).toBe(expected);
});

it("is never a part of a path, which would be another folder wherever one stands", () => {
  const variables = ["XDG_DATA_HOME", "LOCALAPPDATA", "APPDATA"];
  for (const platform of ["linux", "darwin", "win32"] as const) {
    const env = Object.fromEntries(variables.map((name) => [name, "some/where"]));
    expect(defaultDataDir(platform, env, home, () => true)).toBe(
      defaultDataDir(platform, {}, home, () => true),
    );
    for (const unknown of ["", ".", "me"])
      expect(() => defaultDataDir(platform, {}, unknown)).toThrow(/^Your home folder is not known: HOME is /);
  }
});

it("follows the variables of the system, and not empty ones", () => {
  const none = () => false;
  expect(defaultDataDir("win32", { LOCALAPPDATA: join("/", "l") }, home, none)).toBe(
    join("/", "l", "Countersign"),
  );
  expect(defaultDataDir("win32", { LOCALAPPDATA: "" }, home, none)).toBe(local);
  expect(defaultDataDir("linux", { XDG_DATA_HOME: join("/", "x") }, home)).toBe(
    join("/", "x", "countersign"),
  );
  expect(defaultDataDir("linux", { XDG_DATA_HOME: "" }, home)).toBe(
    join(home, ".local", "share", "countersign"),
  );
  expect(defaultDataDir("darwin", {}, home)).toBe(
    join(home, "Library", "Application Support", "Countersign"),
  );
});
