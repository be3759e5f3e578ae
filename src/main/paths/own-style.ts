/** The style of paths on a system, for its files and for the language of its commands. */
import type { ShellKind } from "../../shared/command-shell.ts";
import type { PathStyle } from "./path-style.ts";
import { darwinStyle, posixStyle } from "./posix-style.ts";
import { gitBashStyle, windowsStyle } from "./windows-style.ts";

/** As file tools read one whole path: `~` is the home, and no character stands for others. */
export function forFiles(style: PathStyle): PathStyle {
  const isWindows = style.name === "windows";
  const inHome = isWindows ? /^~(?=[\\/]|$)/ : /^~(?=\/|$)/;
  const expand = (text: string, home: string) => (inHome.test(text) ? home + text.slice(1) : text);
  return {
    ...style,
    place(text, base) {
      if (text === "" || text.includes("\0"))
        return { problem: "is empty or holds a zero character", kind: "no file" };
      if (isWindows && /[*?]/.test(text))
        return { problem: "holds characters that no file name has", kind: "no file" };
      return style.place(expand(text, base.home), base);
    },
    guess: (text, base) => style.guess(expand(text, base.home), base),
  };
}

/** As commands of a shell read paths on a system. */
export function styleOfCommands(platform: NodeJS.Platform, shell: ShellKind): PathStyle {
  if (platform === "win32") return shell === "bash" ? gitBashStyle : windowsStyle;
  return platform === "darwin" ? darwinStyle : posixStyle;
}

/** As Node and the file tools read paths on a system. */
export function styleOfFiles(platform: NodeJS.Platform): PathStyle {
  return forFiles(styleOfCommands(platform, "powershell"));
}
