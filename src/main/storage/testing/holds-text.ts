/** Looks for a text in the files of a data directory, also where a database holds it packed. */
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { unpackText } from "../packed-text.ts";

/** Whether the file holds the text: as it is, or packed in a row of a database. */
export function holdsText(path: string, text: string): boolean {
  if (readFileSync(path).includes(text)) return true;
  if (!path.endsWith(".db")) return false;
  const database = new Database(path, { readonly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    return (tables as string[]).some((table) => {
      for (const row of database.prepare(`SELECT * FROM "${table}"`).raw().iterate() as Iterable<unknown[]>)
        if (row.some((value) => Buffer.isBuffer(value) && unpacked(value).includes(text))) return true;
      return false;
    });
  } finally {
    database.close();
  }
}

/** Bytes of another kind, such as a hash, as they are. */
function unpacked(value: Buffer): string {
  try {
    return unpackText(value);
  } catch {
    return value.toString("latin1");
  }
}
