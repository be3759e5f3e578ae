/** A double of the keychain that works, refuses, hangs, or only disguises what it is given, as Chromium does on Linux. */
import type * as Electron from "electron";
import { present, surface } from "./strict.ts";

export const safeStorageSurface = surface<Electron.SafeStorage>("SafeStorage", [
  "isAsyncEncryptionAvailable",
  "encryptStringAsync",
  "decryptStringAsync",
]);

/** Set by the test; `asked` counts what reached the keychain. */
export type KeychainRecord = {
  mood: "works" | "refuses" | "hangs" | "disguises" | "is absent";
  shouldReEncrypt: boolean;
  asked: number;
};

export function doubleKeychain(record: KeychainRecord) {
  const answer = async () => {
    record.asked += 1;
    if (record.mood === "refuses") throw new Error("The keychain was denied.");
    if (record.mood === "hangs") await new Promise(() => {});
  };
  const safeStorage: Pick<
    Electron.SafeStorage,
    "isAsyncEncryptionAvailable" | "encryptStringAsync" | "decryptStringAsync"
  > = {
    // The first call of any kind makes the encryptor, which is what a person is asked about and may never answer. It tells
    // whether one could be made, and nothing about what that one is worth.
    async isAsyncEncryptionAvailable() {
      record.asked += 1;
      if (record.mood === "hangs") await new Promise(() => {});
      return record.mood !== "is absent";
    },
    async encryptStringAsync(plain) {
      await answer();
      const mark = record.mood === "disguises" ? "v10" : "v11";
      return Buffer.concat([Buffer.from(mark), Buffer.from(plain, "utf8").reverse()]);
    },
    async decryptStringAsync(bytes) {
      await answer();
      const result = Buffer.from(bytes.subarray(3)).reverse().toString("utf8");
      return { result, shouldReEncrypt: record.shouldReEncrypt };
    },
  };
  return { safeStorage: present(safeStorageSurface, safeStorage) };
}
