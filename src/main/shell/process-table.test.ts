/** The process table and which of its rows belong to an execution. */

import { spawn, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  isSameStart,
  listNewerProcesses,
  listProcesses,
  readLinuxProcess,
  startTimeOf,
} from "./process-table.ts";
import { selectTree } from "./process-tree.ts";
import { listWithPs, type ProcessRow, type ProcessTable, parsePsMarkers, parsePsTable } from "./ps-table.ts";
import type { RunProgram } from "./run-program.ts";

function rowsOf(table: ProcessTable): readonly ProcessRow[] {
  if (table === "no answer") throw new Error("The process table did not answer.");
  return table;
}

const row = (pid: number, parent: number, group: number, executionId?: string): ProcessRow => ({
  pid,
  startTime: `boot/${pid}`,
  name: `p${pid}`,
  parent,
  group,
  session: group,
  terminal: undefined,
  executionId,
  limitMark: undefined,
});

describe("selectTree", () => {
  const root = { executionId: "mine", pid: 100, startTime: "boot/100" };
  const pids = (table: ProcessRow[]) => selectTree(table, root).map(({ pid }) => pid);

  it("takes the group, the marked, and their descendants, and nobody else", () => {
    const table = [
      row(1, 0, 1),
      row(100, 50, 100, "mine"),
      row(101, 100, 100),
      row(200, 1, 200, "mine"),
      row(202, 201, 202),
      row(201, 200, 201),
      row(300, 1, 300, "other"),
    ];
    expect(pids(table)).toEqual([100, 101, 200, 201, 202]);
  });

  it("takes nothing of a stranger that got the pid, and nothing of its group", () => {
    const stranger = { ...row(100, 1, 100), startTime: "boot/999" };
    expect(pids([stranger, row(101, 100, 100), row(200, 1, 200, "mine")])).toEqual([200]);
  });

  it("knows a group without its leader by a marked member only", () => {
    expect(pids([row(101, 1, 100, "mine"), row(102, 1, 100)])).toEqual([101, 102]);
    expect(pids([row(101, 1, 100), row(102, 1, 100)])).toEqual([]);
  });
});

describe("the process table", () => {
  it.runIf(process.platform === "linux")(
    "reads marker, name and start, whatever the program is called",
    async () => {
      const env = { COUNTERSIGN_EXECUTION: "e1" };
      const child = spawn("/bin/sleep", ["71"], { env, argv0: "odd ) name (" });
      const pid = child.pid ?? 0;
      await expect.poll(() => readLinuxProcess(pid)?.executionId).toBe("e1");
      const found = rowsOf(await listProcesses()).find((candidate) => candidate.pid === pid);
      expect(found).toMatchObject({ name: "odd ) name ( 71", parent: process.pid });
      expect(isSameStart(found?.startTime ?? "", readLinuxProcess(pid)?.startTime ?? "")).toBe(true);
      child.kill();
      await new Promise((resolve) => child.once("exit", resolve));
      expect(readLinuxProcess(pid)).toBeUndefined();
    },
  );

  it.runIf(process.platform === "linux").each([0, 100])(
    "finds a newer process, with %d others made in between",
    async (others) => {
      const root = spawn("/bin/sleep", ["71"]);
      for (let made = 0; made < others; made += 50)
        spawnSync("/bin/bash", ["-c", "for i in {1..50}; do (:); done"]);
      const env = { COUNTERSIGN_EXECUTION: "e3" };
      const newer = spawn("/bin/sleep", ["72"], { env, detached: true });
      await expect.poll(() => readLinuxProcess(newer.pid ?? 0)?.executionId).toBe("e3");
      const rows = rowsOf(await listNewerProcesses(root.pid ?? 0));
      expect(rows.find(({ pid }) => pid === newer.pid)).toMatchObject({ executionId: "e3" });
      expect(rows.find(({ pid }) => pid === root.pid)).toBeUndefined();
      expect(startTimeOf(newer.pid ?? 0)).toBe(readLinuxProcess(newer.pid ?? 0)?.startTime);
      root.kill();
      newer.kill();
    },
  );

  it("understands what ps prints on macOS, leaves out zombies, and shows no environment", () => {
    const table = [
      "  501     1   501 Ss   ttys003  Sat Nov 21 00:52:17 2026 sleep 60",
      "  502   501   501 Z    ttys003  Sat Nov 21 00:52:17 2026 (sleep)",
      "  503     1   503 S    ??       Sat Nov  1 00:52:17 2026 /usr/libexec/a b",
      "not a row",
    ].join("\n");
    expect(parsePsTable(table)).toEqual([
      expect.objectContaining({ pid: 501, parent: 1, group: 501, terminal: "ttys003", name: "sleep 60" }),
      expect.objectContaining({ pid: 503, terminal: undefined, name: "/usr/libexec/a b" }),
    ]);
    expect(parsePsMarkers("  501 sleep 60 COUNTERSIGN_EXECUTION=e2 PATH=/bin\n 502 ls")).toEqual(
      new Map([[501, "e2"]]),
    );
  });

  it("takes markers from a look of their own, so that no name ends in an environment", async () => {
    // Stands in for macOS' ps, which prints the environment behind the command when it is asked for it.
    const ps: RunProgram = (_file, [how, _o, columns]) => {
      const command = how!.includes("E") ? "sleep 60 COUNTERSIGN_EXECUTION=e2 TOKEN=hunter2" : "sleep 60";
      const start = columns!.includes("lstart") ? "1 70 Ss ttys001 Wed Jul 01 12:00:00 2026 " : "";
      return Promise.resolve(`  70 ${start}${command}`);
    };
    expect(await listWithPs(ps)).toMatchObject([{ pid: 70, name: "sleep 60", executionId: "e2" }]);
  });

  it("has ps print starts in that zone too, whatever the host's is", async () => {
    const started = Date.UTC(2026, 6, 1, 12, 0, 0);
    // Stands in for ps on a host in Tokyo: it prints times in the zone that its environment says, else in that of the host.
    const ps: RunProgram = (_file, _args, { env }) => {
      const format = new Intl.DateTimeFormat("en-US", {
        timeZone: env?.TZ ?? "Asia/Tokyo",
        ...({ weekday: "short", month: "short", day: "2-digit", year: "numeric" } as const),
        ...({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const),
      });
      const part = Object.fromEntries(format.formatToParts(started).map(({ type, value }) => [type, value]));
      const { weekday, month, day, hour, minute, second, year } = part;
      const at = `${weekday} ${month} ${day} ${hour}:${minute}:${second} ${year}`;
      return Promise.resolve(`  70     1    70 Ss   ttys001  ${at} /bin/bash`);
    };
    const table = await listWithPs(ps);
    expect(table).toMatchObject([{ pid: 70, startTime: String(started / 1000) }]);
  });

  it("reads starts as UTC, in whichever zone this process lives", () => {
    const zone = process.env.TZ;
    process.env.TZ = "Asia/Kathmandu";
    const [first] = parsePsTable("1 0 1 Ss ?? Sat Nov 21 00:52:17 2026 init") ?? [];
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
    expect(first?.startTime).toBe(String(Date.UTC(2026, 10, 21, 0, 52, 17) / 1000));
  });

  it.each(["", "ps: illegal option -- E\nusage: ps", "\u0000\u0001 garbage"])(
    "takes %j for no answer, not for an empty table",
    (garbage) => expect(parsePsTable(garbage)).toBeUndefined(),
  );
});
