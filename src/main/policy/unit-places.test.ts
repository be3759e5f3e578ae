/** Each part that is judged says where in the command it stands, also one of a script in a string. */
import { expect, it } from "vitest";
import { judgeCommand } from "./judge-command.ts";
import { makeContext } from "./testing/make-context.ts";

/** The lines, from one on, and the texts of the parts that stand there. */
function placesOf(command: string): [number | undefined, string][] {
  return judgeCommand(command, makeContext()).units.map(({ at, text }) => [
    at === undefined ? undefined : command.slice(0, at).split("\n").length,
    text,
  ]);
}

it("says the line of every part, and of equal ones each", () => {
  expect(placesOf("make a; make b\n\nmake a\nx=$(rm `pwd`)\npsql <<E\n$(curl x)\nE\n")).toEqual([
    [1, "make a"],
    [1, "make b"],
    [3, "make a"],
    [4, "x=$(rm `pwd`)"],
    [4, "rm `pwd`"],
    [4, "pwd"],
    [5, "psql <<E"],
    [6, "curl x"],
  ]);
});

it("says of a script in a string where that begins, and of a loop's body its own line", () => {
  expect(placesOf("ls\nbash -c 'ls\nrm b'\nfor i in a b; do\n  rm $i\ndone")).toEqual([
    [1, "ls"],
    [2, "ls"],
    [2, "rm b"],
    [5, "rm $i"],
  ]);
});

it("says no place of what is about the whole", () => {
  expect(placesOf("ls\necho \u202e")).toContainEqual([undefined, "ls\necho \u202e"]);
});
