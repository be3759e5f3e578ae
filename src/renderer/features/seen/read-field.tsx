/** A field of a card whose text has to be on the screen to its end before it is sent: it grows with what stands in it. */
import { type ComponentProps, type KeyboardEvent, useMemo, useRef } from "react";
import { TextArea } from "../../ui/field.tsx";
import { namesOfHidden } from "../../ui/reveal-characters.ts";
import { hasRightToLeft } from "../../ui/revealed-text.tsx";
import { strings } from "./strings.ts";
import { useReadGauge } from "./use-read-gauge.ts";
import { Waive } from "./waive.tsx";

/** More lines than that scroll in the field: they can be taken as read only. */
const mostDrawn = 2_000;

type ReadFieldProps = ComponentProps<typeof TextArea> & { readKey: string; value: string };

export function ReadField({ readKey, value, ...rest }: ReadFieldProps) {
  const element = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => nameLines(value), [value]);
  const hidden = useMemo(() => namesOfHidden(value), [value]);
  // Its lines keep what was seen of them while others are typed.
  useReadGauge(readKey, value, element, true);
  const long = lines.length > mostDrawn;
  return (
    <div ref={element} data-text="" className="flex flex-col gap-1">
      <TextArea {...rest} value={value} measure={long ? undefined : <Measure lines={lines} />} />
      {long && (
        <p data-unread className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
          {strings.longField(lines.length)}
          <Waive readKey={readKey} digest={value} />
        </p>
      )}
      {hidden.length > 0 && (
        <p className="text-sm text-bad">
          {strings.hiddenInField} {hidden.join(", ")}
        </p>
      )}
      {rest.mono && hasRightToLeft(value) && <p className="text-sm text-warn">{strings.turnedInField}</p>}
    </div>
  );
}

/** For what is one line, although it may be drawn on several: Enter sends its form. */
export function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.form?.requestSubmit();
}

function Measure({ lines }: { lines: readonly NamedLine[] }) {
  return lines.map(({ name, text }) => (
    // An empty line shows nothing that could be missed.
    <div key={name} data-piece={text === "" ? undefined : name}>
      {`${text}\n`}
    </div>
  ));
}

type NamedLine = { name: string; text: string };

/** A line is known by its words, so that one that was seen stays seen wherever it moves; equal ones are counted. */
function nameLines(text: string): NamedLine[] {
  const counts = new Map<string, number>();
  return text.split("\n").map((line) => {
    const count = (counts.get(line) ?? 0) + 1;
    counts.set(line, count);
    return { name: `${count} ${line}`, text: line };
  });
}
