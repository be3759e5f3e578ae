/** Where the data lies, and the ways to take a copy of it. */
import { useState } from "react";
import { client } from "../../base/client.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { CopiedCode, SettingRow } from "./setting-row.tsx";
import { otherEntries } from "./setting-table.ts";
import { strings } from "./strings.ts";

export function DataFolder() {
  const dataDir = useHost((state) => state.host?.dataDir ?? "");
  return (
    <SettingRow {...otherEntries.dataDir}>
      <CopiedCode text={dataDir} />
    </SettingRow>
  );
}

export function BackupSetting() {
  return (
    <SettingRow {...otherEntries.backup}>
      <WriteButton
        label={strings.data.backup}
        write={() => client().call("host.backup", {})}
        describe={strings.data.backedUp}
      />
    </SettingRow>
  );
}

export function LedgerSetting() {
  return (
    <SettingRow {...otherEntries.ledger}>
      <WriteButton
        label={strings.data.exportLedger}
        write={() => client().call("approvals.exportLedger", {})}
        describe={strings.data.exported}
      />
    </SettingRow>
  );
}

type WriteButtonProps = {
  label: string;
  write: () => Promise<{ path: string; checkpoints?: string }>;
  describe: (path: string, checkpoints: string | undefined) => string;
};

/** Has the host write a file and shows where it is, for as long as the view is open. */
function WriteButton({ label, write, describe }: WriteButtonProps) {
  const [written, setWritten] = useState<{ path: string; checkpoints?: string }>();
  const [busy, setBusy] = useState(false);
  async function run() {
    setBusy(true);
    const done = await attempt(write);
    if (done) setWritten(done);
    setBusy(false);
  }
  return (
    <div className="flex max-w-96 flex-col items-end gap-1">
      <Button disabled={busy} onClick={() => void run()}>
        {label}
      </Button>
      <p role="status" className="text-sm break-all text-ink-2">
        {busy ? strings.data.working : written && describe(written.path, written.checkpoints)}
      </p>
    </div>
  );
}
