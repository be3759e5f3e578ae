/** How the person decides, in figures of their own record, and the one change that would spare them most. */
import type { Output } from "../../../shared/contract/contract.ts";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { Button } from "../../ui/button.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { SettingRow } from "./setting-row.tsx";
import { otherEntries } from "./setting-table.ts";
import { strings } from "./strings.ts";

type Fatigue = Output<"approvals.fatigue">;

export function FatigueSetting() {
  const { value, problem } = useAnswer("approvals.fatigue");
  return (
    <SettingRow {...otherEntries.fatigue} below>
      {!value && !problem && <p role="status">{common.loading}</p>}
      {problem && <ProblemText problem={problem} />}
      {value &&
        (value.decided === 0 ? (
          <p className="text-ink-2">{strings.fatigue.none}</p>
        ) : (
          <Figures fatigue={value} />
        ))}
    </SettingRow>
  );
}

function Figures({ fatigue }: { fatigue: Fatigue }) {
  const words = strings.fatigue;
  const { change } = fatigue;
  const rows: [name: string, value: string][] = [
    [words.counted, words.decisions(fatigue.decided, fatigue.days)],
    [words.asks, words.perHourAndThread(fatigue.perHour, fatigue.perThread)],
    [words.look, words.lookFor(fatigue.lookMs, fatigue.looked)],
    [words.hurried, words.of(fatigue.hurried, fatigue.risky)],
    [words.regretted, words.of(fatigue.regretted, fatigue.approved)],
  ];
  return (
    <>
      <dl
        aria-label={otherEntries.fatigue.label}
        className="rounded-md border border-line bg-surface px-3 py-1.5"
      >
        {rows.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-6 py-0.5">
            <dt className="text-ink-2">{name}</dt>
            <dd className="ml-auto tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-[60ch] font-medium">
          {change ? words.changes[change.kind](change.spared, fatigue.decided) : words.noChange}
        </p>
        {change?.kind === "rules" && (
          <Button onClick={() => go({ view: "settings", id: "rules" })}>{words.toRules}</Button>
        )}
      </div>
    </>
  );
}
