/** The console's keys are those of the README's table, and each works on the keyboards of six countries. */
import { describe, expect, it, onTestFinished } from "vitest";
import { cdp, page } from "vitest/browser";
import readme from "../../../README.md?raw";
import { keyboardNames, pressOf } from "../testing/keyboards.ts";
import { openConsole } from "../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../testing/samples.ts";
import { registerActions, useActions } from "./actions.ts";
import { startKeys } from "./keys.ts";

const named: Record<string, string> = { Enter: "Enter", Escape: "Escape", Space: " " };
const arrows = ["ArrowDown", "ArrowUp"];

/** The keys of the README's table, written as actions have them. */
function readTable(): string[] {
  const [, table] = /\n\| Key \| What it does \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(readme) ?? [];
  const cells = table!
    .trim()
    .split("\n")
    .map((line) => line.split("|")[1]!);
  return cells.flatMap((cell) => [
    ...(cell.includes("arrows") ? arrows : []),
    ...(cell.includes("` to `") ? spread(cell) : [...cell.matchAll(/`([^`]+)`/g)].map(([, key]) => key!)),
  ]);
}

/** `g 1` to `g 9`. */
function spread(cell: string): string[] {
  const [, start, from, to] = /`(.*?)(\d)` to `.*?(\d)`/.exec(cell)!;
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => `${start}${Number(from) + at}`);
}

/** An action's key as the table writes it. */
function asInTable(pattern: string): string {
  const plain = pattern.replace("[Shift]+", "").replace("Digit", "").replace("$mod", "Ctrl/Cmd");
  return plain
    .replace("Escape", "Esc")
    .replace(/(?<=Shift\+|Alt\+|Cmd\+)[a-z]$/, (letter) => letter.toUpperCase());
}

/** What is registered with the queue open, and with a thread whose call waits. */
async function registeredKeys(): Promise<Set<string>> {
  const patterns = new Set<string>();
  const collect = () => {
    for (const { keys } of useActions.getState().actions) for (const key of keys ?? []) patterns.add(key);
  };
  openConsole(
    { threads: [sampleThread("t1")], approvals: [sampleApproval("a1", "npm test")] },
    {},
    "#/thread/t1",
  );
  await expect.element(page.getByLabelText("Message", { exact: true })).toBeVisible();
  // What is drawn may be seen before its keys are registered.
  const has = (id: string) => useActions.getState().actions.some((action) => action.id === id);
  await expect.poll(() => has("conversation.write")).toBe(true);
  collect();
  location.hash = "#/queue";
  await expect.element(page.getByRole("heading", { name: "Approvals", level: 1 })).toBeVisible();
  collect();
  return patterns;
}

// Vitest leaves it to its providers to say what a session has.
const session = cdp() as { send(method: string, how: object): Promise<unknown> };
const control = 2;
const alt = 1;
const shift = 8;

/** Presses one press of a pattern, such as `$mod+Shift+Digit0`, through the browser, as a person at this keyboard does. */
async function press(keyboard: string, pattern: string): Promise<void> {
  const parts = pattern.split("+");
  const key = parts.pop()!;
  const held = new Set(parts.filter((part) => !part.startsWith("[")));
  const isNamed = Object.hasOwn(named, key) || key.startsWith("Arrow");
  const typed = isNamed
    ? { code: key, key: named[key] ?? key, shiftKey: held.has("Shift") }
    : pressOf(keyboard, key.replace(/^Digit/, ""), held.has("Shift"));
  const modifiers =
    (held.has("$mod") ? control : 0) + (held.has("Alt") ? alt : 0) + (typed.shiftKey ? shift : 0);
  const event = { code: typed.code, key: typed.key, modifiers };
  await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...event });
}

it("the console has the keys of the README's table, and no others", async () => {
  const registered = [...(await registeredKeys())].map(asInTable);
  expect([...new Set(registered)].sort()).toEqual([...new Set(readTable())].sort());
});

describe("every key of the console", () => {
  let patterns: Set<string> | undefined;

  it.each(keyboardNames)("does its own work and no other's on a %s keyboard", async (keyboard) => {
    patterns ??= await registeredKeys();
    useActions.setState({ actions: [] });
    const ran: string[] = [];
    const off = registerActions(
      [...patterns].map((pattern) => ({
        id: pattern,
        label: pattern,
        section: "test",
        keys: [pattern],
        run: () => void ran.push(pattern),
      })),
    );
    const stop = startKeys();
    onTestFinished(() => {
      off();
      stop();
    });
    window.focus();
    (document.activeElement as HTMLElement | null)?.blur();
    for (const pattern of patterns) {
      ran.length = 0;
      // Ends a sequence that the press before may have begun.
      await press(keyboard, "ArrowLeft");
      for (const one of pattern.split(" ")) await press(keyboard, one);
      // The console's own binding is still there: its sequences may end in a key that is one of its own.
      expect(new Set(ran), `${pattern} on ${keyboard}`).toContain(pattern);
    }
  });
});
