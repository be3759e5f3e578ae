/** The text a model gets: cleaned, cut on character borders, and honest about what is missing. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../shared/testing/any-character.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { measureGrowth, quadraticGrowth } from "../testing/growth.ts";
import { cleanColouredOutput, cleanOutput } from "./clean-output.ts";
import { createOutputCapture } from "./output-capture.ts";
import { createOutputRing } from "./output-ring.ts";

describe("cleanOutput", () => {
  it.each([
    ["colours", "\u001b[1;31mred\u001b[0m", "red"],
    ["a window title", "\u001b]0;title\u0007text", "text"],
    ["a link", "\u001b]8;;https://x.test\u001b\\label\u001b]8;;\u001b\\", "label"],
    ["cursor movement and erasing", "\u001b[2K\u001b[1Gdone\u001b[?25h", "done"],
    ["carriage return before newline", "a\r\nb\r\r\nc", "a\nb\nc"],
    ["a redrawn progress line", "1%\r50%\r100%\r\nnext", "100%\nnext"],
    ["a line that was redrawn and then erased", "working\r\u001b[K\r\ndone", "working\ndone"],
    ["overstruck text", "N\bNA\bA", "NA"],
    ["bells and other control characters", "a\u0007b\u0000c\u009dd", "abcd"],
    ["tabs and characters beyond ASCII", "a\tü\u{1f600}", "a\tü\u{1f600}"],
  ])("removes or resolves %s", (_what, raw, expected) => {
    expect(cleanOutput(raw)).toBe(expected);
  });

  it("does not let an unfinished sequence hide what follows", () => {
    expect(cleanOutput("\u001b]0;never ended\nrm -rf /\n")).toBe("0;never ended\nrm -rf /\n");
  });

  it("leaves no escape and no return in any text", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom("\u001b", "\u001b[", "\u001b]", "\r", "\b", "\u009b", "\n"),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const clean = cleanOutput(pieces.join(""));
        return !["\u001b", "\r", "\b", "\u009b"].some((control) => clean.includes(control));
      }),
    );
  });

  it("takes time by the length of a flood of unfinished sequences, not by its square", () => {
    const growth = measureGrowth(
      (length) => void cleanOutput("\u001b]".repeat(length) + "\u001b[".repeat(length)),
      10_000,
    );
    expect(growth).toBeLessThan(quadraticGrowth / 2);
  });
});

describe("cleanColouredOutput", () => {
  it.each([
    ["colours and weight", "\u001b[1;31mred\u001b[0m", "\u001b[1;31mred\u001b[0m"],
    ["colours in their 8-bit form", "\u009b38:5:9mx", "\u001b[38:5:9mx"],
    [
      "the last drawing of a line, in the colour chosen before it",
      "\u001b[32m1%\r50%\r\n",
      "\u001b[32m50%\n",
    ],
    ["colours that are ended behind it", "\u001b[32mdone\r\u001b[0m\nnext", "\u001b[32mdone\u001b[0m\nnext"],
    ["overstruck text", "\u001b[1mN\b\u001b[2mNA", "\u001b[1m\u001b[2mNA"],
  ])("keeps %s", (_what, raw, expected) => {
    expect(cleanColouredOutput(raw)).toBe(expected);
  });

  it("shows the words that the model reads and lets nothing but colours pass, whatever a command prints", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(
        "\u001b",
        "\u001b[",
        "\u001b]",
        "\u009b",
        "\r",
        "\b",
        "\n",
        "m",
        ";",
        "1",
        "[2J",
        "\ud800",
        "\udc00",
      ),
      fc.constantFrom(
        "\u001b[31m",
        "\u001b[0m",
        "\u001b[m",
        "\u001b]8;;x\u0007",
        "\u001b[?1049h",
        "\u001b[31",
      ),
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences start with the escape character
    const colour = /\u001b\[[\d;:]*m/g;
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        // Output is decoded, so it is well formed.
        const raw = pieces.join("").toWellFormed();
        const words = cleanColouredOutput(raw).replace(colour, "");
        expect(words).toBe(cleanOutput(raw));
        expect(words.isWellFormed()).toBe(true);
        expect(["\u001b", "\u009b", "\r", "\b"].filter((control) => words.includes(control))).toEqual([]);
      }),
    );
  });

  it("takes time by the length of a line that is redrawn in colours without end, not by its square", () => {
    const growth = measureGrowth(
      (length) =>
        void cleanColouredOutput(
          "\u001b[32mx\r".repeat(length) +
            "\u001b[1my\b".repeat(length) +
            "\u001b[1m".repeat(length) +
            "\b".repeat(length),
        ),
      10_000,
    );
    expect(growth).toBeLessThan(quadraticGrowth / 2);
  });
});

describe("createOutputRing", () => {
  it("holds the newest bytes at their absolute offsets, whatever the chunks", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40_000 }),
        fc.array(fc.integer({ min: 0, max: 30_000 })),
        (capacity, sizes) => {
          const ring = createOutputRing(capacity);
          const all: number[] = [];
          for (const size of sizes) {
            const chunk = Buffer.from(Array.from({ length: size }, (_, index) => (all.length + index) % 251));
            all.push(...chunk);
            ring.append(chunk);
          }
          expect(ring.end).toBe(all.length);
          expect(ring.start).toBe(Math.max(0, all.length - capacity));
          expect(ring.read(ring.start).equals(Buffer.from(all.slice(ring.start)))).toBe(true);
          expect(
            ring.read(ring.start + 3, 5).equals(Buffer.from(all.slice(ring.start + 3, ring.start + 8))),
          ).toBe(true);
        },
      ),
      { numRuns: runsOf(30) },
    );
  });
});

describe("the capture of an output", () => {
  const word = (text: string, headBytes: number, tailBytes: number) => {
    const capture = createOutputCapture();
    capture.append(Buffer.from(text));
    return capture.word({ limits: { headBytes, tailBytes }, logPath: "/logs/x.log" });
  };

  it("leaves what fits as it is", () => {
    expect(word("abcdef", 3, 3)).toEqual({ output: "abcdef", truncated: false });
  });

  it("counts what it leaves out and names the log", () => {
    expect(word("abcdefghij", 3, 3)).toEqual({
      output: "abc\n[4 bytes omitted; full log: /logs/x.log]\nhij",
      truncated: true,
    });
  });

  it("never cuts a character in two and accounts for every byte", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 10 }),
        fc.nat(20),
        fc.nat(20),
        (raw, headBytes, tailBytes) => {
          const text = cleanOutput(raw);
          const { output, truncated } = word(text, headBytes, tailBytes);
          expect(output).not.toContain("\ufffd");
          if (!truncated) return;
          const [, head, omitted, tail] =
            /^([\s\S]*)\n\[(\d+) bytes omitted; .*\]\n([\s\S]*)$/.exec(output) ?? [];
          const kept = Buffer.byteLength(head ?? "") + Buffer.byteLength(tail ?? "");
          expect(kept + Number(omitted)).toBe(Buffer.byteLength(text));
          expect(kept).toBeLessThanOrEqual(headBytes + tailBytes);
        },
      ),
    );
  });

  it("accounts for the middle that was never held", () => {
    const capture = createOutputCapture();
    const line = "x".repeat(99);
    for (let index = 0; index < 10_000; index += 1) capture.append(Buffer.from(`${line}\n`));
    const { output } = capture.word({ limits: { headBytes: 1000, tailBytes: 2000 }, logPath: "/logs/x.log" });
    expect(output).toContain(`[${1_000_000 - 3000} bytes omitted`);
  });
});
