/** Text inputs with one look; the label is always there, seen or only said. */
import type { ComponentProps } from "react";
import { useId } from "react";
import { cx } from "./class-names.ts";

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
        className={cx(box, "h-7")}
      />
    </Labelling>
  );
}

export function TextArea({
  label,
  hideLabel,
  problem,
  mono,
  className,
  ...rest
}: ComponentProps<"textarea"> & Labelled & { mono?: boolean }) {
  const id = useId();
  return (
    <Labelling id={id} label={label} hideLabel={hideLabel} problem={problem} className={className}>
      <textarea
        {...rest}
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        className={cx(box, "block field-sizing-content max-h-80 min-h-14 resize-none", mono && "code-text")}
      />
    </Labelling>
  );
}

type LabellingProps = Labelled & { id: string; className?: string; children: React.ReactNode };

function Labelling({ id, label, hideLabel, problem, className, children }: LabellingProps) {
  return (
    <div className={cx("flex flex-col gap-1", className)}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-sm font-medium text-ink-2"}>
        {label}
      </label>
      {children}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}

/** A native select with the console's look. */
export function Select({ label, className, ...rest }: ComponentProps<"select"> & { label: string }) {
  return (
    <select
      {...rest}
      aria-label={label}
      className={cx(
        "h-7 min-w-0 rounded-md border border-line bg-raised px-1.5 text-sm text-ink hover:bg-hover disabled:opacity-55",
        className,
      )}
    />
  );
}
