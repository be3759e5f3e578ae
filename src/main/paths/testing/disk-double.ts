/** A disk of another system, which cannot exist here: it knows its names in any case and form, and notes every look. For tests only. */
import { foldName } from "../fold-name.ts";
import type { DiskNames } from "../follow-links.ts";

type Entry = { stored: string; link?: string };

const missing = (path: string) => Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });

export class DiskDouble implements DiskNames {
  /** Each path that anything looked at, as it was asked for. */
  readonly looks: string[] = [];
  readonly #entries = new Map<string, Entry>();
  readonly #fold: (name: string) => string;
  readonly #shortNames: ReadonlyMap<string, string>;

  /**
   * @param tree files and folders as they are stored; `path -> target` is a link, or on Windows a junction
   * @param how whether names fold, and short names of Windows with the long ones
   */
  constructor(tree: readonly string[], how: { folds: boolean; shortNames?: Record<string, string> }) {
    this.#fold = how.folds ? foldName : (name) => name;
    this.#shortNames = new Map(Object.entries(how.shortNames ?? {}));
    for (const line of tree) {
      const [stored, link] = line.split(" -> ") as [string, string | undefined];
      this.#entries.set(this.#fold(stored), link === undefined ? { stored } : { stored, link });
    }
  }

  #find(path: string): Entry {
    this.looks.push(path);
    const long = path.split("\\").map((name) => this.#shortNames.get(name.toLowerCase()) ?? name);
    const entry = this.#entries.get(this.#fold(long.join("\\")));
    if (entry === undefined) throw missing(path);
    return entry;
  }

  isLink(path: string): boolean {
    return this.#find(path).link !== undefined;
  }

  readLink(path: string): string {
    return this.#find(path).link ?? "";
  }

  realName(path: string): string {
    return this.#find(path).stored;
  }
}
