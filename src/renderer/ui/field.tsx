/** Text inputs with one look; the label is always there, seen or only said. */

import type { ComponentProps, ReactNode } from "react";
import { useId } from "react";
import { cx } from "./class-names.ts";
import { ProblemText } from "./problem-text.tsx";
import { spellOut } from "./reveal-characters.ts";

const box =
  "w-full rounded-md border border-line-strong bg-surface px-2 py-1 text-ink placeholder:text-ink-3 disabled:opacity-55";

type Labelled = { label: string; hideLabel?: boolean; problem?: string };

export function TextField({
  label,
  hideLabel,
  problem,
  className,
  ...rest
}: ComponentProps<"input"> & Labelled) {
  const id = useId();
  return (
    <Labelling id={id} label={label} hideLabel={hideLabel} problem={problem} className={className}>
      <input
        {...rest}
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        className={cx(box, "h-7 roomy:h-10")}
      />
    </Labelling>
  );
}

/** Its label is said and stands inside while nothing is typed. */
export function SearchField(props: ComponentProps<"input"> & { label: string }) {
  return <TextField {...props} hideLabel type="search" placeholder={props.label} />;
}

type TextAreaProps = ComponentProps<"textarea"> &
  Labelled & {
    mono?: boolean;
    /** As low as a field of one line while its text is short. */
    low?: boolean;
    /** Its text again, line by line: lies under the field, unseen, and gives it the height of all of them. */
    measure?: ReactNode;
  };

export function TextArea({
  label,
  hideLabel,
  problem,
  mono,
  low,
  measure,
  className,
  ...rest
}: TextAreaProps) {
  const id = useId();
  const look = cx(
    box,
    "block",
    low ? "min-h-7 roomy:min-h-10" : "min-h-14",
    mono && "code-text",
    measure !== undefined && "[grid-area:1/1]",
  );
  const grows = measure === undefined ? "field-sizing-content max-h-80" : "overflow-hidden";
  return (
    <Labelling id={id} label={label} hideLabel={hideLabel} problem={problem} className={className}>
      <div className="grid grid-cols-[minmax(0,1fr)]">
        {measure !== undefined && (
          <div aria-hidden className={cx(look, "invisible", !mono && "whitespace-pre-wrap break-words")}>
            {measure}
          </div>
        )}
        <textarea
          {...rest}
          id={id}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          className={cx(look, grows, "resize-none")}
        />
      </div>
    </Labelling>
  );
}

type LabellingProps = Labelled & { id: string; className?: string; children: ReactNode };

function Labelling({ id, label, hideLabel, problem, className, children }: LabellingProps) {
  return (
    <div className={cx("flex flex-col gap-1", className)}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-sm font-medium text-ink-2"}>
        {spellOut(label)}
      </label>
      {children}
      {problem && <ProblemText id={`${id}-problem`} className="text-sm" problem={problem} />}
    </div>
  );
}

/** A native select with the console's look. */
export function Select({ label, className, ...rest }: ComponentProps<"select"> & { label: string }) {
  return (
    <select
      {...rest}
      aria-label={spellOut(label)}
      className={cx(
        "h-7 max-w-full min-w-0 rounded-md border border-line bg-raised px-1.5 text-sm roomy:h-10 text-ink hover:bg-hover disabled:opacity-55",
        className,
      )}
    />
  );
}
