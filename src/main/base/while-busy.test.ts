import { expect, it } from "vitest";
import { BusyFileError, whileBusy, whileBusySync } from "./while-busy.ts";

/** Fails with a system's code as often as said. */
function failing(code: string, times: number) {
  let tries = 0;
  const act = () => {
    tries += 1;
    if (tries <= times) throw Object.assign(new Error(code), { code });
    return "done";
  };
  return { act, tries: () => tries };
}

it.each(["EPERM", "EACCES", "EBUSY"])("goes on when a file that said %s is free again", async (code) => {
  for (const times of [1, 19]) {
    let waits = 0;
    const one = failing(code, times);
    const wait = async () => (waits += 1);
    expect(await whileBusy("a.txt", async () => one.act(), "win32", wait)).toBe("done");
    expect(waits).toBe(times);
    const other = failing(code, times);
    expect(whileBusySync("a.txt", other.act, "win32", () => {})).toBe("done");
  }
});

it("says which file another program has open when it stays so", async () => {
  const never = failing("EBUSY", Infinity);
  const outcome = whileBusy(
    "C:\\work\\a.txt",
    async () => never.act(),
    "win32",
    async () => {},
  );
  await expect(outcome).rejects.toThrow("C:\\work\\a.txt could not be changed: another program has it open");
  expect(never.tries()).toBe(21);
  expect(() => whileBusySync("b.txt", failing("EPERM", Infinity).act, "win32", () => {})).toThrow(
    BusyFileError,
  );
});

it("tries once where the system never refuses for that reason, and where the reason is another", async () => {
  for (const [code, platform] of [
    ["EPERM", "linux"],
    ["EPERM", "darwin"],
    ["ENOENT", "win32"],
  ] as const) {
    const one = failing(code, 1);
    await expect(whileBusy("a.txt", async () => one.act(), platform)).rejects.toMatchObject({ code });
    expect(() => whileBusySync("a.txt", failing(code, 1).act, platform)).toThrow(code);
    expect(one.tries()).toBe(1);
  }
});
