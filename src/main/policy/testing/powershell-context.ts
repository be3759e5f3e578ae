/** A workspace on Windows whose commands PowerShell runs, with an empty disk. Used by the tests of the policy. */
import { windowsStyle } from "../../paths/windows-style.ts";
import { makeContext } from "./make-context.ts";

/** The workspace is `C:\work\app`, a repository of git; the home is `C:\Users\ada`. */
export const powerShellContext = makeContext({
  shell: "powershell",
  paths: windowsStyle,
  rules: [],
  workspace: "/c:/work/app",
  cwd: "/c:/work/app",
  home: "/c:/Users/ada",
  look: {
    isThere: (path) => path === "/c:/work/app/.git",
    entriesIn: () => [],
    namesIn: () => [],
    namesBelow: () => [],
    kindOf: () => undefined,
  },
  protectedDirs: ["/c:/Users/ada/AppData/Roaming/Countersign"],
});
