/** What is in a folder that a command may have made. */
import { readdirSync } from "node:fs";

/** What is in a folder, and nothing of one that nobody may read: a command can make such. */
export function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
