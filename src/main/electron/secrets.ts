/** The system's keychain as Electron offers it, and how to tell it from a disguise. */
import { safeStorage } from "electron";
import type { SecretBox } from "../settings/secret-box.ts";

/**
 * On Linux, where no keychain answers, Chromium encrypts with a password that stands in its source, and marks the
 * result so. On macOS the same mark begins what a real keychain encrypted.
 */
const disguise = Buffer.from("v10");

/** Asks the system nothing before the first key is sealed or opened. */
export function createSecretBox(platform: NodeJS.Platform): SecretBox {
  return {
    isEncrypted: (bytes) => platform !== "linux" || !disguise.equals(bytes.subarray(0, disguise.length)),
    async seal(plain) {
      if (!(await safeStorage.isAsyncEncryptionAvailable())) throw new Error("There is no keychain.");
      return safeStorage.encryptStringAsync(plain);
    },
    async open(bytes) {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(bytes));
      return { plain: result, isOutdated: shouldReEncrypt };
    },
  };
}
