/** A statement that is run with one value after another is compiled once, and finds what it would find anyway. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { createCheckpointer } from "./checkpointer/create-checkpointer.ts";
import { keepStatements } from "./kept-statements.ts";
import { openDatabase } from "./open-database.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-kept-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const columns = Array.from({ length: 40 }, (_, at) => `c${at}`);

function withRows(): Database.Database {
  const database = new Database(":memory:");
  database.exec(
    `CREATE TABLE t (k TEXT, n INTEGER, x ANY, ${columns.join(" TEXT, ")} TEXT) STRICT; CREATE INDEX t_k ON t(k, n)`,
  );
  const insert = database.prepare("INSERT INTO t (k, n, x) VALUES (?, ?, ?)");
  const values = [null, "", "a", "1", "1.0", 1, 2, 1.5, Buffer.from("a"), Buffer.alloc(0)];
  for (const [at, x] of values.entries()) insert.run(`k${at % 3}`, at % 4, x);
  return database;
}

const conditions = [
  "x = ? ORDER BY rowid",
  "x IS ? ORDER BY rowid",
  "x IS NOT ? ORDER BY rowid",
  "k = ? AND n = ? ORDER BY rowid DESC",
  "k=? AND n>=? ORDER BY n, rowid",
  "n BETWEEN ? AND ? ORDER BY rowid",
  "k = (SELECT max(k) FROM t WHERE x = ?) ORDER BY rowid",
  "n = @n AND (k = @k OR x IS @x) ORDER BY rowid LIMIT @most OFFSET @from",
  "n < 3 ORDER BY rowid LIMIT ? OFFSET ?",
  "k = ? GROUP BY n",
];

const value = fc.oneof(
  fc.constantFrom<unknown>(null, "", "a", "k0", "k1", "1", "1.0", 0, 1, 2, 1.5, 3, -1),
  fc.constantFrom(Buffer.from("a"), Buffer.alloc(0)),
);

test("whatever is bound, the same rows are found in the same order, and the same is written", () => {
  const [plain, kept] = [withRows(), withRows()];
  keepStatements(kept);
  fc.assert(
    fc.property(
      fc.constantFrom(...conditions),
      fc.array(value, { minLength: 5, maxLength: 5 }),
      (rest, given) => {
        const [n, k, x] = given;
        const bound = rest.includes("@")
          ? [{ n, k, x, most: 3, from: 1 }]
          : rest.startsWith("n < 3")
            ? [2, 1]
            : given.slice(0, rest.split("?").length - 1);
        const found = [plain, kept].map((database) => {
          const read = database.prepare(`SELECT rowid, k, n, typeof(x), x FROM t WHERE ${rest}`);
          return read.all(...bound);
        });
        expect(found[1]).toEqual(found[0]);
        const written = [plain, kept].map((database) => {
          database.prepare("UPDATE t SET x = ? WHERE rowid = ?").run(x, 1);
          return database.prepare("SELECT typeof(x), x FROM t ORDER BY rowid").all();
        });
        expect(written[1]).toEqual(written[0]);
      },
    ),
    { numRuns: runsOf(300) },
  );
});

test("no plan is made for a value, which is what a statement is compiled anew for", () => {
  const [plain, kept] = [withRows(), withRows()];
  keepStatements(kept);
  const plansOf = (database: Database.Database, rest: string, ...bounds: unknown[][]) => {
    const explain = database.prepare(`EXPLAIN QUERY PLAN SELECT * FROM t WHERE ${rest} ORDER BY x`);
    return bounds.map((bound) => JSON.stringify(explain.all(...bound)));
  };
  for (const database of [plain, kept]) {
    const insert = database.prepare("INSERT INTO t (k, n) VALUES (?, ?)");
    for (let at = 0; at < 3_000; at += 1) insert.run(at < 2_990 ? "often" : "seldom", at);
    // The host never has these counted; here they make the look at a value show.
    database.exec("CREATE INDEX t_n ON t(n); ANALYZE");
  }
  for (const [rest, ...bounds] of [
    ["k = ?", ["often"], ["seldom"]],
    ["n > ?", [0], [2_990]],
    ["n BETWEEN ? AND ?", [0, 3_000], [7, 8]],
  ] as [string, ...unknown[][]][]) {
    expect(new Set(plansOf(plain, rest, ...bounds)).size, rest).toBe(2);
    expect(new Set(plansOf(kept, rest, ...bounds)).size, rest).toBe(1);
  }
});

test("the databases of the host are kept so", () => {
  const { database } = openDatabase(folder, Date.now);
  const checkpoints = createCheckpointer(join(folder, "checkpoints.db"), () => {});
  for (const each of [database, checkpoints.db])
    expect(each.prepare("SELECT 1 AS one WHERE 1 = ? LIMIT ?").source).toContain("= +? LIMIT +?");
  database.close();
  checkpoints.close();
});
