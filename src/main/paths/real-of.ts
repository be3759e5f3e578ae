/** Where a path really leads, for what asks about places that may not be there. */
import { realpathSync } from "node:fs";

/** Where it really is; undefined where it leads nowhere. */
export function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
