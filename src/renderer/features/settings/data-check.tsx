/** Has the host read both databases in full, shows how far it is, and says what it found. */

import { CircleCheck, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { DataCheckItem } from "../../../shared/contract/console.ts";
import { client } from "../../base/client.ts";
import { describeError, formatBytes } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { SettingRow } from "./setting-row.tsx";
import { otherEntries } from "./setting-table.ts";
import { strings } from "./strings.ts";

type Found = Extract<DataCheckItem, { kind: "checked" }>;
type Progress = Extract<DataCheckItem, { kind: "checking" }>;
type State = { progress?: Progress | "begun"; found?: Found; problem?: string };

export function DataCheck() {
  const [state, setState] = useState<State>({});
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const words = strings.check;
  const busy = state.progress !== undefined;

  async function check() {
    const controller = new AbortController();
    leaving.current = controller;
    setState({ progress: "begun" });
    try {
      for await (const item of client().watch("host.checkData", {}, { signal: controller.signal }))
        setState(item.kind === "checking" ? { progress: item } : { found: item });
    } catch (error) {
      if (!controller.signal.aborted) setState({ problem: describeError(error) });
    }
  }
  return (
    <SettingRow {...otherEntries.check}>
      <div className="flex w-96 max-w-full flex-col items-end gap-1.5">
        <Button disabled={busy} onClick={() => void check()}>
          {words.go}
        </Button>
        <div role="status" className="w-full text-right text-sm text-ink-2">
          {state.progress === "begun" && words.begun}
          {state.progress && state.progress !== "begun" && (
            <>
              <p>
                {words.progress(
                  state.progress.name,
                  formatBytes(state.progress.bytes),
                  state.progress.step,
                  state.progress.of,
                )}
              </p>
              <progress
                aria-label={words.progressName}
                className="h-1 w-full accent-ink"
                max={state.progress.of}
                value={state.progress.step - 1}
              />
            </>
          )}
          {state.found && <Findings found={state.found} />}
        </div>
        {state.problem && <ProblemText className="text-sm" problem={state.problem} />}
      </div>
    </SettingRow>
  );
}

function Findings({ found: { checks, advice } }: { found: Found }) {
  return (
    <div className="flex flex-col gap-1.5">
      <ul className="flex flex-col gap-1">
        {checks.map(({ name, state, bytes, findings }) => (
          <li key={name} className="flex items-center justify-end gap-1.5 [&_svg]:size-4 [&_svg]:shrink-0">
            {state === "sound" && <CircleCheck aria-hidden className="text-ok" />}
            {(state === "damaged" || state === "unread") && (
              <TriangleAlert aria-hidden className="text-bad" />
            )}
            <span>{strings.check.states[state](name, formatBytes(bytes), findings[0] ?? "")}</span>
          </li>
        ))}
      </ul>
      {advice && <p className="rounded-md bg-bad-soft p-2 text-left text-bad select-text">{advice}</p>}
    </div>
  );
}
