/** Shows a tinykeys pattern the way it is printed on the keyboard. */
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

export function Kbd({ keys }: { keys: string }) {
  const presses = keys
    .split(" ")
    .map((press) =>
      press.split("+").map((part) => names[part.replace(/[[\]]/g, "")] ?? part.replace(/[[\]]/g, "")),
    );
  return (
    <kbd className="inline-flex gap-1 rounded-sm border border-line bg-sunken px-1 font-mono text-xs text-ink-2">
      {presses
        .map((parts) => parts.filter((part) => part !== "⇧" || parts.at(-1) !== "?").join(""))
        .join(" ")}
    </kbd>
  );
}
