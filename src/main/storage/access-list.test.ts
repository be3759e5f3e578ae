/** Access lists as Windows writes them, and who they let in. */
import { describe, expect, it } from "vitest";
import { identityOf, othersLetIn } from "./access-list.ts";

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

it("names everybody by the number that icacls takes, or by none", () => {
  expect(["AU", "BU", "DU", "S-1-5-21-1-2-3-1002", "ZZ"].map((who) => identityOf(who, owner))).toEqual([
    "S-1-5-11",
    "S-1-5-32-545",
    "S-1-5-21-1004336348-1177238915-682003330-513",
    "S-1-5-21-1-2-3-1002",
    undefined,
  ]);
});
