/** Finds the rules that let things pass and answered nothing for a while, so that a person can take them back. */
import type Database from "better-sqlite3";
import type { Output } from "../../shared/contract/contract.ts";
import type { Rule } from "../../shared/contract/rules.ts";
import type { RuleId } from "../../shared/ids.ts";
import { giveWay } from "../base/give-way.ts";
import type { RuleBook } from "./rule-book.ts";

export type UnusedRules = {
  /** Notes since when the rules of now are there; a rule that was written by hand says nothing of it. */
  note(): void;
  /** Only rules that allow: one that asks or denies does its work also while nothing comes its way. */
  find(): Promise<Output<"rules.unused">>;
  /** Of these rules, removes those that still answered nothing. @returns how many that are */
  remove(ids: readonly RuleId[]): Promise<number>;
};

const unusedDays = 30;
const dayMs = 86_400_000;
/** So many lines of the record are looked through before others get their turn. */
const linesAtOnce = 50;

type Page = { id: number; at: number; rules: string };

/** @param now milliseconds since 1970, as in the record. */
export function createUnusedRules(
  database: Database.Database,
  book: Pick<RuleBook, "list" | "remove">,
  now: () => number,
): UnusedRules {
  const insert = database.prepare(
    "INSERT OR IGNORE INTO rule_sightings (rule_id, first_seen_at) VALUES (?, ?)",
  );
  const forget = database.prepare(
    "DELETE FROM rule_sightings WHERE rule_id NOT IN (SELECT value FROM json_each(?))",
  );
  const seenSince = database.prepare("SELECT rule_id FROM rule_sightings WHERE first_seen_at <= ?").pluck();
  // Whoever decided the line: a rule that covered a part of a command did its work for that part.
  const page = database.prepare(
    `SELECT id, at, CASE WHEN imported IS NULL THEN
       (SELECT json_group_array(u.value ->> '$.rule') FROM json_each(verdict, '$.units') u) ELSE '[]' END AS rules
     FROM ledger WHERE id < ? ORDER BY id DESC LIMIT ?`,
  );
  const writeDown = database.transaction((rules: readonly Rule[]) => {
    for (const { id } of rules) insert.run(id, now());
    // One that comes back later begins anew.
    forget.run(JSON.stringify(rules.map(({ id }) => id)));
  });

  /** Takes away from `open` what answered since then. */
  async function strikeUsed(open: Set<string>, since: number): Promise<void> {
    for (let before = Number.MAX_SAFE_INTEGER; open.size > 0; ) {
      await giveWay();
      const lines = page.all(before, linesAtOnce) as Page[];
      const fresh = lines.filter(({ at }) => at >= since);
      for (const { rules } of fresh) for (const id of JSON.parse(rules) as string[]) open.delete(id);
      // A clock that was set back leaves single lines out of order, so that one old line ends nothing.
      if (lines.length < linesAtOnce || fresh.length === 0) return;
      before = lines.at(-1)!.id;
    }
  }

  async function find() {
    const { rules } = book.list();
    writeDown(rules);
    const since = now() - unusedDays * dayMs;
    const old = new Set(seenSince.all(since) as string[]);
    const open = new Set<string>(
      rules.flatMap(({ id, effect }) => (effect === "allow" && old.has(id) ? [id] : [])),
    );
    await strikeUsed(open, since);
    return { days: unusedDays, rules: rules.filter(({ id }) => open.has(id)) };
  }

  return {
    note: () => writeDown(book.list().rules),
    find,
    async remove(ids) {
      const unused = new Set((await find()).rules.map(({ id }) => id));
      const gone = ids.filter((id) => unused.has(id));
      for (const id of gone) book.remove(id);
      return gone.length;
    },
  };
}
