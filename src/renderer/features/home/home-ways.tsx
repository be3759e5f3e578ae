/** The ways to bring a worktree home as choices, each with what it does or what stands against it. */

import type { Output } from "../../../shared/contract/contract.ts";
import { type HomeWay, homeWaySchema } from "../../../shared/contract/home.ts";
import { quoteName } from "../../../shared/foreign-words.ts";
import { cx } from "../../ui/class-names.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { strings } from "./strings.ts";

type Preview = Output<"home.preview">;
export type WayChoice = HomeWay | "pullRequest";

const ways = homeWaySchema.options;

/** Whether nothing stands against it. */
export function isOpenWay({ ways: all, pullRequest }: Preview, way: WayChoice): boolean {
  return !("why" in (way === "pullRequest" ? pullRequest : all[way]));
}

/** What is chosen until the person chooses. */
export function firstOpen(preview: Preview): WayChoice | undefined {
  return [...ways, "pullRequest" as const].find((way) => isOpenWay(preview, way));
}

type HomeWaysProps = {
  preview: Preview;
  chosen: WayChoice | undefined;
  onChoose: (way: WayChoice) => void;
};

export function HomeWays({ preview, chosen, onChoose }: HomeWaysProps) {
  const target = preview.target === undefined ? strings.noBranch : quoteName(spellOut(preview.target));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">{strings.waysLabel}</legend>
      {ways.map((way) => {
        const state = preview.ways[way];
        const { name, text } = strings.ways[way];
        return (
          <Choice
            key={way}
            way={way}
            name={name}
            chosen={chosen}
            isOpen={!("why" in state)}
            onChoose={onChoose}
          >
            {"why" in state ? (
              <Obstacle {...state} />
            ) : (
              <>
                {text(target, state.forward)}
                {way !== "keep" && ` ${strings.changesFiles(state.files)}`}
              </>
            )}
          </Choice>
        );
      })}
      <PullRequest preview={preview} chosen={chosen} onChoose={onChoose} />
    </fieldset>
  );
}

function PullRequest({ preview: { pullRequest }, chosen, onChoose }: HomeWaysProps) {
  const { name, text, why } = strings.pullRequest;
  const isOpen = "command" in pullRequest;
  return (
    <Choice way="pullRequest" name={name} chosen={chosen} isOpen={isOpen} onChoose={onChoose}>
      {isOpen ? text : why[pullRequest.why]}
      {isOpen && (
        <code className="mt-1 block rounded-md bg-sunken px-2 py-1 font-mono text-xs [overflow-wrap:anywhere] text-ink">
          <ExactText text={pullRequest.command} />
        </code>
      )}
    </Choice>
  );
}

type ChoiceProps = {
  way: WayChoice;
  name: string;
  chosen: WayChoice | undefined;
  isOpen: boolean;
  onChoose: (way: WayChoice) => void;
  children: React.ReactNode;
};

function Choice({ way, name, chosen, isOpen, onChoose, children }: ChoiceProps) {
  const about = `home-${way}-about`;
  return (
    <div>
      <label className={cx("flex min-h-6 items-center gap-2 font-medium", !isOpen && "text-ink-3")}>
        <input
          type="radio"
          name="home-way"
          className="accent-ink"
          checked={chosen === way}
          disabled={!isOpen}
          aria-describedby={about}
          onChange={() => onChoose(way)}
        />
        {name}
      </label>
      <div id={about} className="pl-5 text-sm [overflow-wrap:anywhere] text-ink-2">
        {children}
      </div>
    </div>
  );
}

type Closed = Extract<Preview["ways"][HomeWay], { why: unknown }>;

function Obstacle({ why, names, namesCount }: Closed) {
  return (
    <>
      {strings.why[why]}
      {names.length > 0 && (
        <ul className="mt-1 flex flex-col gap-0.5 [overflow-wrap:anywhere]">
          {names.map((name) => (
            <li key={name}>
              <ExactText text={name} oneLine />
            </li>
          ))}
          {namesCount > names.length && <li>{strings.more(namesCount - names.length)}</li>}
        </ul>
      )}
    </>
  );
}
