/** Keeps model keys in the system's keychain, and says so honestly where there is none. */
import { safeStorage } from "electron";
import type { SecretBox } from "../host/host.ts";

/** `storage` is "memory" where the system offers no real encryption: then nothing may be written to disk. */
export async function openSecretBox(platform: NodeJS.Platform): Promise<SecretBox> {
  return {
    storage: (await hasKeychain(platform)) ? "keychain" : "memory",
    encrypt: (plain) => safeStorage.encryptStringAsync(plain),
    decrypt: async (bytes) => (await safeStorage.decryptStringAsync(Buffer.from(bytes))).result,
  };
}

async function hasKeychain(platform: NodeJS.Platform): Promise<boolean> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return false;
  if (platform !== "linux") return true;
  return !["basic_text", "unknown"].includes(safeStorage.getSelectedStorageBackend());
}
