/** PowerShell judged by its own rules: what only reads runs, what hides anything asks, what wipes a machine never runs. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeCommand } from "../judge-command.ts";
import { makeContext } from "../testing/make-context.ts";
import { attacks, everyday, neverRuns, ordinary } from "../testing/powershell-commands.ts";

const context = makeContext({
  shell: "powershell",
  rules: [],
  workspace: "/c:/work/app",
  cwd: "/c:/work/app",
  home: "/c:/Users/ada",
  look: {
    isThere: (path) => path === "/c:/work/app/.git",
    entriesIn: () => [],
    namesIn: () => [],
    namesBelow: () => [],
  },
  protectedDirs: ["/c:/Users/ada/AppData/Roaming/Countersign"],
});
const verdictOf = (command: string, change = {}) => judgeCommand(command, { ...context, ...change }).verdict;
const asking = (commands: readonly string[], ...fine: string[]) =>
  commands
    .filter((command) => !fine.includes(verdictOf(command)))
    .map((command) => `${verdictOf(command)}: ${command}`);

describe("the PowerShell reader", () => {
  it("lets ordinary reading run", () => {
    expect(asking(ordinary, "safe")).toEqual([]);
  });

  it("lets nothing run that runs, hides, sends or prints more than files of the workspace", () => {
    expect(
      asking(attacks, "ask", "deny", "new").concat(attacks.filter((each) => verdictOf(each) === "new")),
    ).toEqual([]);
  });

  it("refuses what wipes a machine, a home or this app's records", () => {
    expect(asking(neverRuns, "deny")).toEqual([]);
  });

  it("leaves everyday changes to a rule", () => {
    expect(asking(everyday, "new")).toEqual([]);
  });

  it("gives no text that was changed by one character of PowerShell's syntax leave to do more", () => {
    const syntax = [..."`$@#&;|<>(){}[]'\"%?,=~^\n\r\u2013\u2018\u201c\u00a0\u2028"];
    fc.assert(
      fc.property(fc.constantFrom(...attacks), fc.nat(), fc.constantFrom(...syntax), (text, seat, char) => {
        const at = seat % (text.length + 1);
        const changed = text.slice(0, at) + char + text.slice(at);
        // It may spoil a name, but what runs holds no syntax outside of quotes, and no secret.
        if (verdictOf(changed) !== "safe") return;
        expect(changed.replace(/'[^']*'|"[^"]*"/g, "")).not.toMatch(/[`@;&<>{}#()\n\u2013-\u201f]/);
        // To a search such a word may have become what it looks for.
        if (/^(?:sls|select-string)\b/i.test(changed)) return;
        const words = changed.match(/'[^']*'|"[^"]*"|[^\s|,]+/g) ?? [];
        const names = words.map((word) =>
          word
            .replace(/^(['"])(.*)\1$/, "$2")
            .replace(/^.*[\\/]/, "")
            .replace(/[. ]+$/, ""),
        );
        expect(names.filter((name) => /^(?:\.env|id_rsa)$/i.test(name))).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  it("never fails, whatever the text", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(...ordinary, ...attacks, "|", " ", "-", '"', "'", "\\", "$HOME"),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(["safe", "new", "ask", "deny"]).toContain(verdictOf(pieces.join("")));
      }),
    );
  });

  it("reads paths as Windows does before anything looks for them", () => {
    const looked: string[] = [];
    const resolvePath = (path: string) => {
      looked.push(path);
      return { real: path };
    };
    for (const path of [
      "\\\\evil\\share\\x",
      "//evil/x",
      "\\\\?\\C:\\x",
      "C:x",
      "a.ts:stream",
      "nul",
      "ENV~1",
      "D:\\x",
    ])
      expect(verdictOf(`Get-Content ${path}`, { resolvePath }), path).toBe("ask");
    expect(looked.filter((path) => !path.startsWith("/c:/work/app"))).toEqual([]);
  });
});
