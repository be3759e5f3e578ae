/** Shows a tinykeys pattern the way it is printed on the keyboard. */
import { printedLetter } from "../base/key-layout.ts";

const isMac = navigator.platform.startsWith("Mac");
const names: Record<string, string> = {
  $mod: isMac ? "⌘" : "Ctrl",
  Shift: "⇧",
  Alt: isMac ? "⌥" : "Alt",
  ArrowDown: "↓",
  ArrowUp: "↑",
  Enter: "↵",
  Escape: "Esc",
};

/** A cap for each press. */
export function Kbd({ keys }: { keys: string }) {
  const presses = keys.split(" ");
  const caps = presses.map((press, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a press has no other identity than its place
    <kbd key={at} className="rounded-sm border border-line bg-sunken px-1 font-mono text-xs text-ink-2">
      {printed(press)}
    </kbd>
  ));
  return caps.length === 1 ? caps : <kbd className="inline-flex gap-0.5">{caps}</kbd>;
}

/** The same in words, such as for a tooltip: "g q". */
export function printedKeys(keys: string): string {
  return keys.split(" ").map(printed).join(" ");
}

/** One press, such as `Ctrl+K`: with another key held, a letter stands as it does on its key. */
function printed(press: string): string {
  // What is optional depends on the keyboard; the person knows how to type the character.
  const parts = press.replace(/\[\w+\]\+/g, "").split("+");
  const key = printedLetter((parts.pop() ?? "").replace(/^Digit/, ""));
  const held = parts.map((part) => names[part] ?? part);
  const plus = held.includes("Ctrl") || held.includes("Alt") ? "+" : "";
  return [...held, names[key] ?? (held.length > 0 ? key.toUpperCase() : key)].join(plus);
}
