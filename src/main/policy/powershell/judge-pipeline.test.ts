/** PowerShell judged by its own rules: what only reads runs, what hides anything asks, what wipes a machine never runs. */

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runsOf } from "../../base/testing/long-run.ts";
import { judgeCommand } from "../judge-command.ts";
import type { CommandRule, DiskEntry } from "../policy-context.ts";
import { attacks } from "../testing/powershell-attacks.ts";
import { everyday, neverRuns, ordinary } from "../testing/powershell-commands.ts";
import { powerShellContext } from "../testing/powershell-context.ts";
import { judgePipeline } from "./judge-pipeline.ts";

const texts = z.array(z.string());
const corpus = z
  .object({ attacks: texts, ordinary: texts, neverRuns: texts })
  .parse(JSON.parse(readFileSync(new URL("./powershell-corpus.json", import.meta.url), "utf8")));

const context = powerShellContext;
const verdictOf = (command: string, change = {}) => judgeCommand(command, { ...context, ...change }).verdict;
const asking = (commands: readonly string[], ...fine: string[]) =>
  commands
    .filter((command) => !fine.includes(verdictOf(command)))
    .map((command) => `${verdictOf(command)}: ${command}`);

describe("the PowerShell reader", () => {
  it("lets ordinary reading run", () => {
    expect(asking([...ordinary, ...corpus.ordinary], "safe")).toEqual([]);
  });

  it("lets nothing run that runs, hides, sends or prints more than files of the workspace", () => {
    expect(asking([...attacks, ...corpus.attacks], "ask", "deny")).toEqual([]);
  });

  it("refuses what wipes a machine, a home or this app's records", () => {
    expect(asking([...neverRuns, ...corpus.neverRuns], "deny")).toEqual([]);
  });

  it("says what leaves this machine and what cannot be undone, by bash's tables and by cmdlets, and no rule passes it", () => {
    const isKept = (path: string) => path === "/c:/work/app/kept.ts";
    const classOf = (command: string) => {
      const [first = "", ...words] = command.split(" ");
      const rule = {
        id: "r",
        tokens: [first.toLowerCase(), ...words],
        effect: "allow",
        scope: "user",
        text: command,
      };
      const { verdict, units } = judgeCommand(command, { ...context, isKept, rules: [rule as CommandRule] });
      const found = units.find((unit) => unit.class !== undefined)?.class;
      if (found !== undefined) expect([command, verdict]).toEqual([command, "ask"]);
      return found ?? "here";
    };
    const classes = {
      leaves: [
        ...[
          "iwr https://example.com/a",
          "curl.exe -d x https://h.example",
          "ssh h ls",
          "scp a h:b",
          "nslookup a.evil.example",
        ],
        ...[
          "docker push a",
          "choco push a.nupkg",
          "npm publish",
          "git push",
          "Connect-AzAccount",
          "Set-AzStorageBlobContent x",
        ],
        ...["Send-MailMessage x", "Resolve-DnsName a.evil.example", "New-PSSession h"],
      ],
      final: [
        ...[
          "Remove-Item notes.txt",
          "del notes.txt",
          "rm kept.ts,notes.txt",
          "Remove-Item -LiteralPath notes.txt",
          "rmdir src",
        ],
        ...[
          "Remove-Item -Recurse -Force src",
          "ri -r src",
          "rd /s /q src",
          "rm -rf src",
          "gci -r | Remove-Item",
        ],
        ...[
          "Clear-Content a.ts",
          "Clear-RecycleBin -Force",
          "Remove-ItemProperty x -Name y",
          "Invoke-Sqlcmd -Query 'DROP TABLE x'",
        ],
        ...["redis-cli FLUSHALL", "git reset --hard", "'DROP TABLE x' | sqlite3 a.db"],
      ],
      here: [
        ...[
          "Remove-Item kept.ts",
          "Remove-Item -LiteralPath kept.ts",
          "del -ErrorAction Stop kept.ts",
          "Set-Content a.ts x",
        ],
        ...["Remove-Variable x", "Clear-Host", "npm test", "git status", "gc README.md"],
      ],
    };
    for (const [name, commands] of Object.entries(classes))
      expect([name, commands.filter((command) => classOf(command) !== name)]).toEqual([name, []]);
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
      { numRuns: runsOf(3_000) },
    );
  });

  it("hands files on only where none of them is a secret or a link that leads elsewhere", () => {
    const link: DiskEntry = { name: "a.ts", kind: "link" };
    const linked = {
      look: { ...context.look!, entriesIn: () => [link] },
      resolvePath: (path: string) => ({ real: path.endsWith("/a.ts") ? "/c:/Users/ada/notes" : path }),
    };
    const hides = (name: string) => ({
      findSecretBelow: (folder: string, { reads }: { reads?: (name: string) => boolean }) =>
        (reads?.(name) ?? true) ? `${folder}/${name}` : undefined,
    });
    const reading = ["gci -r -Filter *.ts | gc", "ls -Filter *.ts | sls x", "gci src\\*.ts | gc"];
    expect(asking(reading, "safe")).toEqual([]);
    const verdicts = (change: object, commands: readonly string[]) =>
      commands.map((command) => verdictOf(command, change));
    expect(verdicts(linked, reading)).toEqual(["ask", "ask", "ask"]);
    expect(verdicts(linked, ["gc src\\*.ts", "sls x *.ts", "gci *\\*", "gci src\\*.ts"])).toEqual([
      ...["ask", "ask", "ask", "safe"],
    ]);
    expect(verdicts({ look: { ...context.look!, entriesIn: () => undefined } }, reading)).toEqual([
      ...["ask", "ask", "ask"],
    ]);
    // The link stands one folder below the listed one.
    const nested = {
      ...linked,
      look: {
        ...context.look!,
        entriesIn: (folder: string): DiskEntry[] => {
          const at: Record<string, DiskEntry> = {
            app: { name: "docs", kind: "folder" },
            docs: { name: "in", kind: "folder" },
            in: link,
          };
          const entry = at[folder.slice(folder.lastIndexOf("/") + 1)];
          return entry === undefined ? [] : [entry];
        },
      },
    };
    const below = [
      "gci docs -Filter *.ts | gc",
      "gci docs\\* -Include *.ts | gc",
      "gci docs -r -Filter *.ts | gc",
    ];
    expect(verdicts(nested, [...below, "gci d*\\* -Include *.ts | gc"])).toEqual([
      "safe",
      "ask",
      "ask",
      "ask",
    ]);
    expect(verdictOf("gci docs -Name -Filter *.ts | gc")).toBe("ask");
    // By its short name `.tfstate` ends in `.TFS`, which is what a filter of three letters finds as well.
    const filters = ["gci -r -Filter *.tfs | gc", "gci -r -Filter *.ts | gc", "gci -Filter s?? | gc"];
    expect(verdicts(hides("main.tfstate"), filters)).toEqual(["ask", "safe", "ask"]);
    expect(verdicts({ findSecretBelow: () => "unknown" }, reading)).toEqual(["ask", "ask", "ask"]);
  });

  it("alone reads its own language, and bash's reader bash's", () => {
    const ofBash = fc.constantFrom(
      ...["ls -la", "cat src/a.ts && ls", "ls; pwd", "head -n 3 a.ts", "grep -n x a.ts", "wc -l < a.ts"],
      ...["find . -name '*.ts'", "cat a.ts 2>/dev/null", "for f in a b; do echo $f; done", "test -f a.ts"],
    );
    const ofPowerShell = fc.constantFrom(
      ...["Get-Content a.ts", "gc a.ts", "gci src", "sls x a.ts", "ls -Recurse", "ls src -Name"],
      ...["Select-String x a.ts", "echo a 2>$null", "ls | select Name", "cat $PWD\\a.ts | measure -Line"],
    );
    const bash = { ...context, shell: "bash" as const };
    fc.assert(
      fc.property(ofBash, (text) => {
        expect(judgeCommand(text, bash).verdict, text).toBe("safe");
        // A program that Windows may not have, at most.
        expect(["new", "ask"], text).toContain(verdictOf(text));
      }),
    );
    fc.assert(
      fc.property(ofPowerShell, (text) => {
        expect(verdictOf(text), text).toBe("safe");
        expect(judgeCommand(text, bash).verdict, text).not.toBe("safe");
      }),
    );
    // Nothing but this reader says what may run: the rest of the answer only holds back.
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...ordinary, ...attacks, ...corpus.attacks), ofBash), (text) => {
        const { units } = judgeCommand(text, context);
        const own = judgePipeline(text, context);
        expect(units.slice(-own.length)).toEqual(own);
        for (const { verdict } of units.slice(0, -own.length)) expect(["ask", "deny"]).toContain(verdict);
      }),
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
