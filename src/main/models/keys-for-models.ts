/** Hands keys to the models, and says of a locked one that it is there and what to do, rather than that there is none. */

import type { KeyStore } from "../settings/key-store.ts";
import type { ModelSecrets } from "./create-chat-model.ts";
import { ModelError } from "./model-error.ts";
import { providers } from "./providers.ts";

/** @returns an `apiKeyFor` that throws ModelError `missing-key` for a locked key. */
export function keysForModels(keys: Pick<KeyStore, "find" | "storageOf">): ModelSecrets {
  return {
    apiKeyFor(provider) {
      if (keys.storageOf(provider) !== "locked") return keys.find(provider);
      throw new ModelError(
        "missing-key",
        `The key for ${providers[provider].label} is locked: it is sealed by the system's keychain and was not opened. Try again in the desktop app's Settings, or enter it anew, then resume.`,
        { retryable: false },
      );
    },
  };
}
