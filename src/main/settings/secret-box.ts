/** What keeps keys out of the clear on disk, where the system has something for it. */

/** The system's keychain. Its answers may stay away for as long as a person looks at a prompt, or for ever. */
export type SecretBox = {
  /** Whether bytes made by `seal` are really encrypted; some systems only disguise them. */
  isEncrypted(bytes: Uint8Array): boolean;
  /** Rejects where there is no keychain or it refuses. */
  seal(plain: string): Promise<Uint8Array>;
  /** Rejects when it refuses; `isOutdated` asks to seal the same text anew. */
  open(bytes: Uint8Array): Promise<{ plain: string; isOutdated: boolean }>;
};
