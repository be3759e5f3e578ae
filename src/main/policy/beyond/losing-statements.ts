/** Finds statements that throw away what a database or a store holds, wherever a command hands them to a program: `DROP TABLE`, `FLUSHALL`. */
import { oneLine } from "../../../shared/foreign-words.ts";
import { opaque } from "../bounded/opaque-reasons.ts";
import { findAskingProgram } from "../guards/asking-programs.ts";
import { programOf } from "../unit-name.ts";
import type { UnitVerdict } from "../verdict.ts";

/** Between two words of SQL; a comment of a length that somebody writes. */
const gap = String.raw`(?:\s|/\*[^*]{0,100}\*/|--[^\n]{0,100}\n)+`;
const kept =
  "table|database|schema|keyspace|collection|view|materialized|index|column|partition|tablespace|sequence|user|role|owned|type|function|procedure|trigger|bucket|series|measurement|graph|namespace";

const statements = [
  new RegExp(
    String.raw`\b(?:drop|truncate)${gap}(?:${kept})\b|\bdelete${gap}from\b|\bdetach${gap}delete\b`,
    "i",
  ),
  /\bflush(?:all|db)\b/i,
  /\bdropDatabase\s*\(|\bdb\b[\w.()'"[\]]{0,40}\.(?:drop|remove|delete(?:One|Many))\s*\(/,
  /\b(?:delete_all|destroy_all|drop_all|drop_tables?|truncate_tables?)\b|\bobjects\.[\w.()]{0,80}\bdelete\s*\(/i,
  // Files and folders, in the words of interpreters.
  /\b(?:rmtree|remove_tree|rm_rf?|rm_f|removedirs|(?:rm|rmdir|unlink|remove)Sync)\b|\b(?:os|fs|fsp|promises|Deno|FileUtils|File|Dir|Files)\s*[.:]{1,2}\s*(?:rm|rmdir|unlink|remove|delete)\b|\.unlink\s*\(|\bunlink\s*[("'$]/,
];

/** The statement that a text says first, by these names alone. */
export function findLosingStatement(text: string): string | undefined {
  for (const statement of statements) {
    const found = statement.exec(text)?.[0];
    if (found !== undefined) return oneLine(found);
  }
  return undefined;
}

/**
 * What asks since it runs a text that nobody reads cannot be undone where the whole command says such a statement: in its
 * words, a here-document, or what is piped into it.
 */
export function markLosingStatements(command: string, units: UnitVerdict[]): UnitVerdict[] {
  const said = findLosingStatement(command);
  if (said === undefined) return units;
  return units.map((unit) => {
    if (unit.verdict !== "ask" || unit.class !== undefined || !runsText(unit.text)) return unit;
    const reason = `${unit.reason.replace(/\.?$/, ".")} “${said}” throws away what is stored.`;
    return { source: "final:statements", ...unit, reason, class: "final" };
  });
}

function runsText(text: string): boolean {
  const names = text.split(/[\s'"`()|;&<>=]+/);
  return names.some(
    (name) => findAskingProgram(programOf(name)) === opaque.interpreter || /^invoke-\w*sql/i.test(name),
  );
}
