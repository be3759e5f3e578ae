/** A log stands in the place of a result only where it is the same output; notes about the end stay behind it. */
import { describe, expect, it } from "vitest";
import { joinLog } from "./join-log.ts";

const red = "\u001b[31mred\u001b[0m";
const log = (text: string, lines = text.split("\n").length) => ({ text, bytes: text.length, lines });

describe("joinLog", () => {
  it("shows the output in its colours", () => {
    expect(joinLog("red\nend\n", log(`${red}\r\nend\r\n`))?.text).toBe(`${red}\r\nend\u001b[0m`);
  });

  it.each(["\n[still running: 7]", "\n[A person ended this command.]\n[still running: 7, 8]"])(
    "keeps what the result says of the end: %j",
    (notes) => {
      expect(joinLog(`red\n[1, 2]${notes}`, log(`${red}\r\n[1, 2]\r\n`))?.text).toBe(
        `${red}\r\n[1, 2]\u001b[0m${notes}`,
      );
    },
  );

  it("shows more than the agent got, and counts what the log itself leaves out", () => {
    const all = Array.from({ length: 900 }, (_, at) => `line ${at}`);
    const result = `${all.slice(0, 3).join("\n")}\n[5000 bytes omitted]\n${all.slice(-100).join("\n")}`;
    expect(joinLog(result, log(all.join("\r\n")))).toMatchObject({
      text: expect.stringContaining("line 450"),
    });
    expect(joinLog(result, log(all.join("\r\n")))?.lines).toBeUndefined();
    expect(joinLog(result, log(all.slice(-200).join("\r\n"), 900))?.lines).toBe(900);
  });

  it("is not used where the log is not the output of that result, or was cut short", () => {
    expect(joinLog("something else", log(red))).toBeUndefined();
    expect(joinLog("", log(red))).toBeUndefined();
    expect(joinLog("\n[still running: 7]", log(red))).toBeUndefined();
    expect(joinLog("red", { ...log(red), bytes: 3 }, 900)).toBeUndefined();
  });
});
