/** What the host and the process that reads whole databases say to each other. */

/** A database to check, with the copies that could take its place, newest first. */
export type CheckedFile = { name: string; path: string; backups: string[] };

export type ProbeJob =
  | { kind: "check"; files: CheckedFile[] }
  /** Each copy is whole and on disk before it gets its name. */
  | { kind: "copy"; copies: { from: string; to: string }[] };

/** absent: there is no such file yet · unread: something other than damage kept it from being read. */
export type DatabaseState = "sound" | "damaged" | "absent" | "unread";

export type DatabaseCheck = {
  name: string;
  state: DatabaseState;
  bytes: number;
  /** In SQLite's words, at most a few; empty when sound or absent. */
  findings: string[];
  /** The newest backup that is sound itself; looked for only when the database is damaged. */
  soundBackup?: string;
};

/** The check of one file begins, the `step`th `of` so many. */
export type CheckStep = { name: string; bytes: number; step: number; of: number };

export type ProbeNews =
  | ({ kind: "checking" } & CheckStep)
  | { kind: "checked"; checks: DatabaseCheck[] }
  | { kind: "copied" }
  | { kind: "failed"; code: string; message: string };
