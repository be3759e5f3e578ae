/** Opens an address in the person's browser with whatever the system has for that; never throws and never waits long. */
import {
  desktopOpeners,
  type Machine,
  type Opener,
  thisMachine,
  tryOpeners,
  windowsOpener,
} from "../base/openers.ts";

/** The programs to try, in this order. */
export function openersFor(address: string, { platform, env, isWsl }: Machine): Opener[] {
  if (platform === "darwin") return [{ program: "open", args: [address] }];
  if (platform === "win32") return [windowsOpener(address, env)];
  const chosen = (env.BROWSER ?? "")
    .split(":")
    .filter((line) => line.trim() !== "")
    .map((line) => fromBrowserVariable(line, address));
  const windows = isWsl
    ? [
        { program: "wslview", args: [address] },
        { program: "rundll32.exe", args: ["url.dll,FileProtocolHandler", address] },
      ]
    : [];
  return [...chosen, ...windows, ...desktopOpeners(address)];
}

/** `$BROWSER` holds programs with arguments; `%s` stands for the address, which else comes last. */
function fromBrowserVariable(line: string, address: string): Opener {
  const [program = "", ...args] = line.trim().split(/\s+/);
  const hasPlace = args.some((arg) => arg.includes("%s"));
  return {
    program,
    args: hasPlace ? args.map((arg) => arg.replace("%s", () => address)) : [...args, address],
  };
}

/** Resolves to undefined when a program took the address, else to why none did, as a part of a sentence. */
export function openBrowser(address: string, machine: Machine = thisMachine()): Promise<string | undefined> {
  return tryOpeners(openersFor(address, machine), machine);
}
