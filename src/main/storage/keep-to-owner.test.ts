/** A folder is closed to other users. Its access lists and the two tools of Windows are played, the folder is real. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, win32 } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { isKeptToOwner, keepToOwner, type RunTool } from "./private-files.ts";
import { playWindows } from "./testing/played-windows.ts";

const owner = "S-1-5-21-1004336348-1177238915-682003330-1001";
const colleague = "S-1-5-21-1004336348-1177238915-682003330-1002";
const profile = `D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${owner})`;
const secondDisk = "D:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1301bf;;;AU)(A;OICIID;0x1200a9;;;BU)";
const closed = `D:PAI(A;OICI;FA;;;${owner})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-access-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const changes = (asked: string[][]) =>
  asked.filter((args) => args[0] === "icacls.exe" && !args.includes("/save"));

describe("a folder on Windows", () => {
  it("is left as it is when only its owner can read it", () => {
    const { run, asked } = playWindows(owner, { [folder]: profile });
    expect(keepToOwner(folder, run)).toBe(true);
    expect(changes(asked)).toEqual([]);
  });

  it("is closed to those whom the folder above lets in", () => {
    const { run, listOf } = playWindows(owner, { [folder]: secondDisk });
    expect(isKeptToOwner(folder, run)).toBe(false);
    expect(keepToOwner(folder, run)).toBe(true);
    expect(isKeptToOwner(folder, run)).toBe(true);
    expect(listOf(folder)).toBe(closed);
  });

  it("is closed to those who were let in by name, whoever they are", () => {
    const others = fc.constantFrom("WD", "AU", "BU", "BG", colleague, "S-1-5-21-9-9-9-1005");
    const entry = fc
      .tuple(others, fc.constantFrom("", "ID"), fc.constantFrom("FA", "FR", "0x1301bf"))
      .map(([who, inherited, rights]) => `(A;OICI${inherited};${rights};;;${who})`);
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), (entries) => {
        const { run, listOf } = playWindows(owner, { [folder]: `D:AI${entries.join("")}` });
        expect(keepToOwner(folder, run)).toBe(true);
        expect(listOf(folder)).toBe(closed);
      }),
      { numRuns: runsOf(40) },
    );
  });

  it("takes away what let others into a file or a folder in it, and what lay deeper", () => {
    mkdirSync(join(folder, "backups"));
    const files = ["keys.json", "countersign.db", join("backups", "old.db")].map((name) =>
      join(folder, name),
    );
    for (const file of files) writeFileSync(file, "");
    const shared = `D:AI(A;;FR;;;${colleague})`;
    const { run, listOf, asked } = playWindows(owner, {
      [folder]: secondDisk,
      [files[0]!]: shared,
      [files[2]!]: `D:PAI(A;;FA;;;WD)`,
    });
    expect(keepToOwner(folder, run)).toBe(true);
    for (const file of files) expect(listOf(file)).not.toMatch(new RegExp(`${colleague}|WD|AU|BU`));
    // What stood right only once the folder was closed is not touched.
    expect(changes(asked).map(([, path]) => path)).not.toContain(files[1]);
  });

  it("whose one file others can read is closed too", () => {
    const file = join(folder, "keys.json");
    writeFileSync(file, "");
    const { run, listOf } = playWindows(owner, { [folder]: closed, [file]: "D:AI(A;;FR;;;WD)" });
    expect(keepToOwner(folder, run)).toBe(true);
    expect(listOf(file)).not.toContain("WD");
  });

  it.each([
    ["inheritance stays on", ["/inheritance:r"], secondDisk],
    ["an entry by name stays", ["/remove:g"], `D:AI(A;OICI;FA;;;${colleague})`],
    ["nobody knows who an entry is", [], "D:AI(A;OICI;FA;;;ZZ)"],
  ])("counts as open when %s", (_, refused, list) => {
    const { run } = playWindows(owner, { [folder]: list }, refused);
    expect(keepToOwner(folder, run)).toBe(false);
  });

  it("counts as open when a file in it stays open", () => {
    const file = join(folder, "keys.json");
    writeFileSync(file, "");
    const { run } = playWindows(owner, { [folder]: closed, [file]: "D:AI(A;;FR;;;WD)" }, ["/reset"]);
    expect(keepToOwner(folder, run)).toBe(false);
  });

  it("counts as open when nothing can be found out", () => {
    const broken: RunTool = () => {
      throw new Error("icacls is not there");
    };
    const silent: RunTool = () => "";
    for (const run of [broken, silent]) {
      expect(keepToOwner(folder, run)).toBe(false);
      expect(isKeptToOwner(folder, run)).toBe(false);
    }
  });

  it.runIf(process.platform === "win32")("is closed by Windows' own tools, also to those named in it", () => {
    const file = join(folder, "keys.json");
    writeFileSync(file, "");
    const icacls = win32.join(process.env.SystemRoot!, "System32", "icacls.exe");
    for (const path of [folder, file]) execFileSync(icacls, [path, "/grant", "*S-1-5-32-545:R"]);
    expect(isKeptToOwner(folder)).toBe(false);
    expect(keepToOwner(folder)).toBe(true);
    expect(isKeptToOwner(folder)).toBe(true);
  });
});
