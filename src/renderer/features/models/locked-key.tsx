/** Says of a key that it is there and cannot be opened now, and asks the keychain once more. */
import { useState } from "react";
import type { KeyStorage } from "../../../shared/contract/models.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { strings } from "./strings.ts";

/** @param unlock asks the host and resolves to where the key is kept afterwards. */
export function LockedKey({ unlock }: { unlock: () => Promise<KeyStorage | undefined> }) {
  const isElsewhere = useHost((state) => state.host?.mode === "browser");
  const [asking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState("");

  async function tryAgain() {
    setAsking(true);
    try {
      setOutcome((await unlock()) === "locked" ? strings.stillLocked : "");
    } catch (error) {
      setOutcome(describeError(error));
    }
    setAsking(false);
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-sm text-ink-2">{isElsewhere ? strings.sealedElsewhereHint : strings.lockedHint}</p>
      {!isElsewhere && (
        <Button disabled={asking} onClick={() => void tryAgain()}>
          {strings.tryAgain}
        </Button>
      )}
      <p role="status" className="text-sm text-warn">
        {outcome}
      </p>
    </div>
  );
}
