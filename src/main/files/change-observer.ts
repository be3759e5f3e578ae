/** What is told about a change around its effect, so that the original can be kept before it is gone. */

/** One file as it was just before a change; `hash` is null when there was none, `bytes` also when it is too large to keep. */
export type OriginalFile = {
  readonly path: string;
  readonly hash: string | null;
  readonly bytes: Buffer | null;
  readonly mode: number | null;
};

/** Told before and after each effect; when `beforeChange` fails, nothing is changed. */
export type ChangeObserver = {
  beforeChange(original: OriginalFile): Promise<void>;
  /** @param hash what the file holds now; null when it is gone. @param movedFrom where it was, when a move brought it. */
  afterChange(path: string, hash: string | null, movedFrom?: string): Promise<void>;
  /** What is about to be deleted or moved holds more than files of which the original was told: links, empty or generated folders. */
  beforeUntold?(path: string): Promise<void>;
};
