/** API keys: encrypted by the system's keychain where there is one, else in a file only the user can read; never shown again. */
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import type { KeyStorage, ProviderId } from "../../shared/contract/models.ts";
import type { SecretBox } from "./host.ts";
import { writeAtomically } from "./settings-store.ts";

export type KeyName = ProviderId | "tavily";

export type KeyStore = {
  /** The key for sending to this provider, from the person or else from the environment. */
  find(name: KeyName): string | undefined;
  storageOf(name: KeyName): KeyStorage | undefined;
  set(name: KeyName, key: string): Promise<void>;
  remove(name: KeyName): Promise<void>;
};

const environmentNames: Partial<Record<KeyName, string>> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GOOGLE_API_KEY",
  tavily: "TAVILY_API_KEY",
};

const fileSchema = z.strictObject({
  version: z.literal(1),
  storage: z.enum(["keychain", "file"]),
  keys: z.record(z.string(), z.string()),
});

/** @throws Error when the file exists but cannot be read, with what to do. */
export async function createKeyStore(
  path: string,
  box: SecretBox | undefined,
  env: NodeJS.ProcessEnv,
): Promise<KeyStore> {
  const storage: "keychain" | "file" | "memory" = box ? box.storage : "file";
  const keys = new Map<KeyName, string>(await load(path, box));

  async function save(): Promise<void> {
    if (storage === "memory") return;
    const entries = await Promise.all(
      [...keys].map(async ([name, key]) => [name, await seal(key, box)] as const),
    );
    writeAtomically(
      path,
      `${JSON.stringify({ version: 1, storage, keys: Object.fromEntries(entries) }, null, 2)}\n`,
    );
    chmodSync(path, 0o600);
  }

  return {
    find: (name) => keys.get(name) ?? (environmentNames[name] ? env[environmentNames[name]] : undefined),
    storageOf: (name) =>
      keys.has(name)
        ? storage
        : environmentNames[name] && env[environmentNames[name]]
          ? "environment"
          : undefined,
    async set(name, key) {
      keys.set(name, key);
      await save();
    },
    async remove(name) {
      keys.delete(name);
      await save();
    },
  };
}

async function load(path: string, box: SecretBox | undefined): Promise<[KeyName, string][]> {
  if (!existsSync(path)) return [];
  const file = fileSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  // Sealed by the keychain of the desktop app: another door cannot open them, and leaves them alone.
  if (file.storage === "keychain" && box?.storage !== "keychain") return [];
  const opened = Object.entries(file.keys).map(async ([name, sealed]) => {
    const key =
      file.storage === "keychain" && box ? await box.decrypt(Buffer.from(sealed, "base64")) : sealed;
    return [name as KeyName, key] as [KeyName, string];
  });
  return Promise.all(opened);
}

async function seal(key: string, box: SecretBox | undefined): Promise<string> {
  return box ? Buffer.from(await box.encrypt(key)).toString("base64") : key;
}
