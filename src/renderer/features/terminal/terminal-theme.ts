/** The console's colours as a terminal needs them: plain values, read anew when light and dark change. */
import type { ITheme } from "@xterm/xterm";

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** @param inside an element in the page, whose colour scheme counts. */
export function readTerminalTheme(inside: HTMLElement): ITheme {
  const probe = inside.appendChild(inside.ownerDocument.createElement("i"));
  const read = (value: string) => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const theme: ITheme = {
    background: read("var(--sunken)"),
    foreground: read("var(--ink)"),
    cursor: read("var(--accent)"),
    cursorAccent: read("var(--sunken)"),
    selectionBackground: read("color-mix(in srgb, var(--accent) 30%, transparent)"),
  };
  names.forEach((name, index) => {
    theme[name] = read(`var(--ansi-${index})`);
    theme[`bright${name[0]?.toUpperCase()}${name.slice(1)}` as "brightRed"] = read(
      `var(--ansi-${index + 8})`,
    );
  });
  probe.remove();
  return theme;
}
