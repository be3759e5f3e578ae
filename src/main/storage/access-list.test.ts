/** Access lists as Windows writes them. Off Windows its two tools are played; what they are asked and print is theirs. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isKeptToOwner, keepToOwner, othersLetIn, type RunTool } from "./access-list.ts";

const owner = "S-1-5-21-1004336348-1177238915-682003330-1001";
const profile = `D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${owner})`;
const secondDisk = "D:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1301bf;;;AU)(A;OICIID;0x1200a9;;;BU)";

describe("an access list", () => {
  it("of a folder in the person's profile lets nobody else in", () => {
    expect(othersLetIn(profile, owner)).toEqual([]);
    expect(
      othersLetIn(`O:BAG:SYD:PAI(A;OICI;FA;;;${owner})(A;OICIIO;FA;;;CO)S:AI(AU;FA;FA;;;WD)`, owner),
    ).toEqual([]);
  });

  it("of a folder on another disk lets every user in", () => {
    expect(othersLetIn(secondDisk, owner)).toEqual(["AU", "BU"]);
  });

  it.each([
    ["everybody", "D:(A;;FA;;;WD)", ["WD"]],
    ["another person", "D:(A;;FR;;;S-1-5-21-1-2-3-1002)", ["S-1-5-21-1-2-3-1002"]],
    ["guests by an entry of another kind", "D:(OA;;FR;;;BG)", ["BG"]],
  ])("that lets %s in says so", (_, list, others) => {
    expect(othersLetIn(list, owner)).toEqual(others);
  });

  it("that only keeps somebody out lets nobody in", () => {
    expect(othersLetIn(`D:(D;;FA;;;WD)(A;;FA;;;${owner})`, owner)).toEqual([]);
  });

  it.each(["", "D:NO_ACCESS_CONTROL", "D:", "nonsense", "D:(A;;FA;;;SY", "D:(XA;;FR;;;SY;(a == 1))"])(
    "that cannot be read, such as %j, is not taken for a closed one",
    (list) => expect(othersLetIn(list, owner)).toBeUndefined(),
  );
});

/** A folder with a list, as icacls shows and sets it. */
function playWindows(list: string, afterwards = list) {
  const asked: string[][] = [];
  let now = list;
  const run: RunTool = (name, args) => {
    asked.push([name, ...args]);
    if (name === "whoami.exe") return `"pc\\ada","${owner}"\r\n`;
    if (args.includes("/grant:r")) now = afterwards;
    return "";
  };
  return { asked, run, read: () => `data\r\n${now}\r\n` };
}

describe("a folder on Windows", () => {
  it("is left as it is when only its owner can read it", () => {
    const { run, read, asked } = playWindows(profile);
    expect(keepToOwner("C:\\data", run, read)).toBe(true);
    expect(asked.some((args) => args.includes("/grant:r"))).toBe(false);
  });

  it("is closed to other users, and looked at again", () => {
    const { run, read, asked } = playWindows(
      secondDisk,
      `D:PAI(A;OICI;FA;;;${owner})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`,
    );
    expect(isKeptToOwner("D:\\data", "win32", run, read)).toBe(false);
    expect(keepToOwner("D:\\data", run, read)).toBe(true);
    expect(asked).toContainEqual([
      "icacls.exe",
      "D:\\data",
      "/inheritance:r",
      "/grant:r",
      `*${owner}:(OI)(CI)F`,
      "*S-1-5-18:(OI)(CI)F",
      "*S-1-5-32-544:(OI)(CI)F",
    ]);
  });

  it("counts as open when it stays so, and when nothing can be found out", () => {
    const stubborn = playWindows(secondDisk);
    expect(keepToOwner("D:\\data", stubborn.run, stubborn.read)).toBe(false);
    const broken: RunTool = () => {
      throw new Error("icacls is not there");
    };
    expect(keepToOwner("D:\\data", broken, () => profile)).toBe(false);
    const nobody: RunTool = () => "";
    expect(isKeptToOwner("D:\\data", "win32", nobody, () => profile)).toBe(false);
  });

  it.runIf(process.platform === "win32")("in the person's own temporary folder is their own", () => {
    const folder = mkdtempSync(join(tmpdir(), "access-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(keepToOwner(folder)).toBe(true);
    expect(isKeptToOwner(folder)).toBe(true);
  });
});

it("is no question on other systems, where modes say it", () => {
  expect(isKeptToOwner("/tmp", "linux")).toBe(true);
  expect(isKeptToOwner("/tmp", "darwin")).toBe(true);
});
