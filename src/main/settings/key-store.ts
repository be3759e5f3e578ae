/**
 * API keys: sealed by the system's keychain where there is one, else in a file only the user can read; never shown again.
 * In the file what the keychain sealed and what browser mode keeps in the clear stand side by side.
 */
import { dirname } from "node:path";
import { z } from "zod";
import type { KeyStorage, ProviderId } from "../../shared/contract/models.ts";
import { isPrivate } from "../storage/private-files.ts";
import { StorageError } from "../storage/storage-error.ts";
import { readOrSetAside } from "./read-or-set-aside.ts";
import type { SecretBox } from "./secret-box.ts";
import { writeAtomically } from "./settings-store.ts";

export type KeyStore = {
  /**
   * Opens sealed keys that are about to be needed. Never rejects: a key that the keychain refuses, or has not opened in
   * time, counts as locked, and opens by itself if the keychain answers later.
   */
  open(names: readonly KeyName[]): Promise<void>;
  /** Asks the keychain once more for a key that is locked. */
  unlock(name: KeyName): Promise<void>;
  /** The key for sending to this provider, from the person or else from the environment; none while it is locked. */
  find(name: KeyName): string | undefined;
  storageOf(name: KeyName): KeyStorage | undefined;
  /** Resolves when the key is where it will be kept. @throws when the file cannot be written; the key works until the end. */
  set(name: KeyName, key: string): Promise<void>;
  /** Takes it from memory and disk, whichever door had put it there. @throws when the file cannot be written. */
  remove(name: KeyName): Promise<void>;
  /** What was wrong with the file at start, in a sentence without its content. */
  warnings: string[];
};

const environmentNames: Partial<Record<KeyName, string>> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GOOGLE_API_KEY",
  tavily: "TAVILY_API_KEY",
};

/** A person may be reading a prompt of the keychain; nothing else waits for longer than this. */
const patienceMs = 5_000;

/**
 * Reads the file and asks the keychain nothing.
 * @param isFolderPrivate whether nobody else can read the folder of the file; without that no key is written in the clear.
 */
export function createKeyStore(
  path: string,
  box: SecretBox | undefined,
  env: NodeJS.ProcessEnv,
  isFolderPrivate: (folder: string) => boolean = isPrivate,
): KeyStore {
  const file = openKeyFile(path);
  const fromEnvironment = (name: KeyName) => env[environmentNames[name] ?? ""];
  const keys = box
    ? createSealedKeys(file, box)
    : createPlainKeys(file, () => isFolderPrivate(dirname(path)));
  return {
    open: (names) => keys.open(names),
    unlock: (name) => keys.unlock(name),
    find: (name) =>
      box && keys.storageOf(name) ? keys.find(name) : (file.plain(name) ?? fromEnvironment(name)),
    storageOf(name) {
      const storage = keys.storageOf(name);
      if (storage !== undefined && (box || storage !== "locked")) return storage;
      if (file.plain(name) !== undefined) return "file";
      return fromEnvironment(name) ? "environment" : storage;
    },
    set: (name, key) => keys.set(name, key),
    async remove(name) {
      file.remove(name);
      keys.forget(name);
    },
    warnings: file.warnings,
  };
}

const notPrivate =
  "The key was not kept: other users of this computer can read the data directory. Choose another with --data-dir, give the key in the environment, or use the desktop app, which seals keys.";

type KeyFile = ReturnType<typeof openKeyFile>;
type Keys = Pick<KeyStore, "open" | "unlock" | "find" | "storageOf" | "set"> & {
  forget(name: KeyName): void;
};

/** Browser mode: what the desktop app sealed cannot be opened here and stays as it is. */
function createPlainKeys(file: KeyFile, isPrivate: () => boolean): Keys {
  return {
    open: async () => undefined,
    unlock: async () => undefined,
    find: () => undefined,
    storageOf: (name) => (file.sealed(name) === undefined ? undefined : "locked"),
    async set(name, key) {
      if (!isPrivate()) throw new StorageError("unusable", notPrivate);
      file.setPlain(name, key);
    },
    forget: () => undefined,
  };
}

/** The desktop app: a key is in memory as soon as it is set or opened, and on disk only as the keychain sealed it. */
function createSealedKeys(file: KeyFile, box: SecretBox): Keys {
  /** The key and the sealed text it stands for; without one it is kept in memory alone. */
  const held = new Map<KeyName, { key: string; sealed?: string }>();
  const asked = new Set<string>();
  const locked = new Set<KeyName>();

  /** Writes what the keychain made of a key, unless another key took its place meanwhile. */
  async function seal(name: KeyName, key: string): Promise<void> {
    const bytes = await box.seal(key).catch(() => undefined);
    if (bytes === undefined || !box.isEncrypted(bytes) || held.get(name)?.key !== key) return;
    const sealed = toText(bytes);
    file.setSealed(name, sealed);
    held.set(name, { key, sealed });
  }

  async function unseal(name: KeyName, sealed: string): Promise<void> {
    try {
      const { plain, isOutdated } = await box.open(toBytes(sealed));
      if (file.sealed(name) !== sealed || held.has(name)) return;
      locked.delete(name);
      held.set(name, { key: plain, sealed });
      // Sealed in a way that the system no longer holds for good; if it cannot be done better, it stays as it is.
      if (isOutdated || !box.isEncrypted(toBytes(sealed))) await seal(name, plain).catch(() => undefined);
    } catch {
      if (file.sealed(name) === sealed && !held.has(name)) locked.add(name);
    }
  }

  async function ask(name: KeyName): Promise<void> {
    const sealed = file.sealed(name);
    if (sealed === undefined || held.has(name)) return;
    asked.add(`${name}:${sealed}`);
    await withinPatience(unseal(name, sealed));
    if (!held.has(name)) locked.add(name);
  }

  return {
    async open(names) {
      const fresh = names.filter((name) => !asked.has(`${name}:${file.sealed(name)}`));
      await Promise.all(fresh.map(ask));
    },
    unlock: ask,
    find: (name) => held.get(name)?.key,
    storageOf(name) {
      const kept = held.get(name);
      const sealed = kept ? kept.sealed : file.sealed(name);
      if (sealed === undefined) return kept && "memory";
      if (!kept && locked.has(name)) return "locked";
      return box.isEncrypted(toBytes(sealed)) ? "keychain" : "file";
    },
    async set(name, key) {
      locked.delete(name);
      held.set(name, { key });
      await withinPatience(seal(name, key));
    },
    forget(name) {
      locked.delete(name);
      held.delete(name);
    },
  };
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const toBytes = (text: string) => Buffer.from(text, "base64");

/** Rejects with the work; when the time is over the work goes on, and nobody hears how it ends. */
async function withinPatience(work: Promise<void>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/** Whose key it is: a provider of models, a search service, or a remote server. */
export type KeyName = ProviderId | "tavily" | `server:${string}`;

const entries = z.record(z.string(), z.string());
const fileSchema = z.strictObject({
  version: z.literal(2),
  /** In base64, by the name of whose it is. */
  sealed: entries,
  plain: entries,
});
type File = z.infer<typeof fileSchema>;

/** One door wrote the whole of it. */
const olderSchema = z.strictObject({
  version: z.literal(1),
  storage: z.enum(["keychain", "file"]),
  keys: entries,
});

/** Every change is on disk when its call returns. @throws when the file exists but cannot be moved aside. */
function openKeyFile(path: string) {
  const { value, warnings } = readOrSetAside(path, "file of keys", parse, { isSecret: true });
  let file = value;

  function save(change: Partial<Pick<File, "sealed" | "plain">>): void {
    const next = { ...file, ...change };
    writeAtomically(path, `${JSON.stringify(next, null, 2)}\n`);
    file = next;
  }

  return {
    warnings,
    sealed: (name: KeyName): string | undefined => file.sealed[name],
    plain: (name: KeyName): string | undefined => file.plain[name],
    setSealed: (name: KeyName, text: string) => save({ sealed: { ...file.sealed, [name]: text } }),
    setPlain: (name: KeyName, key: string) => save({ plain: { ...file.plain, [name]: key } }),
    remove(name: KeyName): void {
      const { [name]: sealed, ...otherSealed } = file.sealed;
      const { [name]: plain, ...otherPlain } = file.plain;
      if (sealed !== undefined || plain !== undefined) save({ sealed: otherSealed, plain: otherPlain });
    },
  };
}

function parse(content: unknown): File {
  const older = olderSchema.safeParse(content);
  if (older.success)
    return {
      version: 2,
      sealed: {},
      plain: {},
      [older.data.storage === "keychain" ? "sealed" : "plain"]: older.data.keys,
    };
  return fileSchema.parse({
    version: 2,
    sealed: {},
    plain: {},
    ...z.record(z.string(), z.unknown()).parse(content),
  });
}
