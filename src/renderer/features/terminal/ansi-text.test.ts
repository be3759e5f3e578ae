/** Output of real programs: colours, progress bars, and chunks that end anywhere. */
import { describe, expect, it } from "vitest";
import { type AnsiLine, createAnsiText, readAnsiText } from "./ansi-text.ts";

function read(...chunks: string[]): readonly AnsiLine[] {
  const terminal = createAnsiText();
  for (const chunk of chunks) terminal.write(chunk);
  return terminal.lines();
}
const words = (lines: readonly AnsiLine[]) =>
  lines.map((line) => line.map((run) => run.text).join("")).join("\n");

describe("createAnsiText", () => {
  it("keeps colours and drops titles and cursor moves", () => {
    const [line] = read("\u001b[1;31mred\u001b[0m \u001b]0;title\u0007ok\u001b[2A\r\n");
    expect(line).toEqual([
      { text: "red", style: { bold: true, color: 1 } },
      { text: " ok", style: {} },
    ]);
  });

  it("reads colours of the 256 palette and of 24 bits", () => {
    const colours = ["38;5;9", "38;5;196", "38;5;244", "38;2;1;2;3", "94"];
    const [line] = read(colours.map((code) => `\u001b[${code}mx`).join(""));
    expect(line?.map((run) => run.style.color)).toEqual([
      9,
      "rgb(255 0 0)",
      "rgb(128 128 128)",
      "rgb(1 2 3)",
      12,
    ]);
  });

  it("lets a progress bar overwrite itself instead of growing", () => {
    expect(words(read("10%\r50%\r100%\ndone"))).toBe("100%\ndone");
  });

  it("erases what a shorter line leaves behind when it is told to", () => {
    expect(words(read("downloading 10 of 10\r\u001b[Kready"))).toBe("ready");
    expect(words(read("abc\u001b[2K\rd"))).toBe("d");
  });

  it("waits for the rest of an escape sequence that was cut between chunks", () => {
    const lines = read("a\u001b[3", "1mb\u001b", "[0mc");
    expect(words(lines)).toBe("abc");
    expect(lines[0]?.[1]?.style.color).toBe(1);
  });

  it("keeps carriage return line feed as one line end", () => {
    expect(words(readAnsiText("a\r\nb\r\n"))).toBe("a\nb");
  });

  it("lets go of old lines of a program that prints without end", () => {
    expect(read("line\n".repeat(50_000)).length).toBeLessThan(5_000);
  });
});
