/** How Git's bash reads paths: by rules of its own, which the style of its paths has to know without looking at a disk. */
import { describe, expect, it } from "vitest";
import { gitBashStyle, windowsStyle } from "./windows-style.ts";

// A folder whose name by Windows' rules is the one that Git's bash has of its own.
const base = { cwd: "/c:/tmp/app", workspace: "/c:/tmp/app", home: "/c:/Users/ada" };

describe("a path of Git's bash", () => {
  it.each([
    ["/tmp/app/a.ts", "/tmp/app/a.ts"],
    ["/etc/passwd", "/etc/passwd"],
    ["/", "/"],
    ["/usr/./bin", "/usr/bin"],
    ["/proc/registry/x", "/proc/registry/x"],
  ])("%s is in a folder of its own, never in one of the drive", (text, path) => {
    expect(gitBashStyle.place(text, base)).toEqual({ path });
    expect(gitBashStyle.guess(text, base)).toBe(path);
    expect(gitBashStyle.findProblem(path, base)).toBeUndefined();
    // Which Windows would take for a place without a drive; the root is on the way to each.
    if (path !== "/") expect(windowsStyle.findProblem(path, base)).toBe("is on another drive");
  });

  it.each([
    ["/c", "/c:"],
    ["/c/", "/c:"],
    ["c:", "/c:"],
    ["C:", "/c:"],
    ["/C/tmp/app/a.ts", "/c:/tmp/app/a.ts"],
    ["/cygdrive/c/tmp/app/a.ts", "/c:/tmp/app/a.ts"],
    ["c:/tmp/app/a.ts", "/c:/tmp/app/a.ts"],
    ["src/a.ts", "/c:/tmp/app/src/a.ts"],
    ["../x", "/c:/tmp/x"],
  ])("%s is on the drive", (text, path) => {
    expect(gitBashStyle.place(text, base)).toEqual({ path });
    expect(gitBashStyle.guess(text, base)).toBe(path);
  });

  it.each(["src/../a.ts", "/c/tmp/app/src/../a.ts", "/tmp/x/../app", "a\\..\\b"])(
    "%s goes down and up again, which it may read in another way than Windows",
    (text) => {
      expect(gitBashStyle.place(text, base)).toMatchObject({ kind: "no file" });
      expect("path" in windowsStyle.place(text, base)).toBe(true);
    },
  );

  it.each(["/d/x", "/cygdrive/d/x", "D:/x", "//evil/share/x", "\\\\evil\\share\\x"])(
    "%s is elsewhere",
    (text) => {
      expect(gitBashStyle.place(text, base)).toMatchObject({ kind: "elsewhere" });
    },
  );
});
