/** Terminal output as text in the page: coloured lines, long output folded in the middle until it is asked for. */
import { type CSSProperties, memo, useEffect, useMemo, useRef, useState } from "react";
import { VList, type VListHandle } from "virtua";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { type AnsiLine, type AnsiStyle, readAnsiText, readForeignText } from "./ansi-text.ts";
import { strings } from "./strings.ts";
import "./terminal.css";

const headLines = 5;
const tailLines = 10;
const virtualFrom = 400;
const frame = "code-text text-ink-2";

type FoldedOutputProps = {
  label: string;
  text: string;
  failed?: boolean;
  /** How many lines there were, where the text may have lost its middle. */
  total?: number;
  /** No terminal printed it: what would move, colour or hide something in one is pointed out. */
  foreign?: boolean;
  /** Finds what the person looks for in here; where that is folded away, it opens. */
  sought?: RegExp;
};

/** Finished output: its head and its tail, all of it on demand. */
export function FoldedOutput(props: FoldedOutputProps) {
  const { label, text, failed = false, total = 0, foreign = false, sought } = props;
  const [all, setAll] = useState(false);
  const lines = useMemo(() => (foreign ? readForeignText(text) : readAnsiText(text)), [text, foreign]);
  const line = useMemo(() => (sought ? lineWith(lines, sought) : -1), [lines, sought]);
  const isFolded = line >= headLines && line < lines.length - tailLines;
  useEffect(() => {
    if (isFolded) setAll(true);
  }, [isFolded]);
  if (lines.length === 0) return null;
  const folded = Math.max(total, lines.length) - headLines - tailLines;
  const long = lines.length - headLines - tailLines > 2;
  return (
    <div className={cx("border-t px-3 py-2", failed ? "border-bad" : "border-line")}>
      <OutputFigure label={label}>
        {!long || all ? (
          <AllLines lines={lines} line={line} />
        ) : (
          <>
            <Lines lines={lines.slice(0, headLines)} />
            <Button small look="quiet" onClick={() => setAll(true)} className="my-0.5 -ml-2 font-sans">
              {`${strings.leftOut(folded)} · ${total > lines.length ? strings.showOf(lines.length, total) : strings.showAll(lines.length)}`}
            </Button>
            <Lines lines={lines.slice(-tailLines)} />
          </>
        )}
      </OutputFigure>
      {long && all && (
        <Button small look="quiet" onClick={() => setAll(false)} className="mt-1 -ml-2">
          {strings.showLess}
        </Button>
      )}
    </div>
  );
}

/** The end of what a running command has printed so far. */
export function LiveLines({ lines }: { lines: readonly AnsiLine[] }) {
  const shown = lines.slice(-tailLines);
  return (
    <OutputFigure label={strings.liveOutput}>
      <Lines lines={shown} />
    </OutputFigure>
  );
}

function OutputFigure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <figure
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: output scrolls and must be reachable by keyboard
      tabIndex={0}
      className="max-h-96 overflow-y-auto rounded-sm"
    >
      {children}
    </figure>
  );
}

function lineWith(lines: readonly AnsiLine[], sought: RegExp): number {
  return lines.findIndex(
    (line) =>
      line
        .map((run) => run.text)
        .join("")
        .search(sought) >= 0,
  );
}

/** @param line that is to be in view; -1 for none. */
function AllLines({ lines, line }: { lines: readonly AnsiLine[]; line: number }) {
  const list = useRef<VListHandle>(null);
  useEffect(() => {
    if (line >= 0) list.current?.scrollToIndex(line, { align: "center" });
  }, [line]);
  if (lines.length <= virtualFrom) return <Lines lines={lines} />;
  return (
    <VList ref={list} data={lines} style={{ height: 380 }} className={cx("takes-presses", frame)}>
      {(line, index) => <Line key={index} line={line} />}
    </VList>
  );
}

function Lines({ lines }: { lines: readonly AnsiLine[] }) {
  return (
    <pre className={frame}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of output has no other identity than its place
        <Line key={index} line={line} />
      ))}
    </pre>
  );
}

const Line = memo(function Line({ line }: { line: AnsiLine }) {
  return (
    <div className="min-h-[1.5em]">
      {line.map((run, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a line have no other identity than their place
        <span key={index} style={styleOf(run.style)}>
          {run.foreign ? <ForeignText text={run.text} lines /> : run.text}
        </span>
      ))}
    </div>
  );
});

function styleOf(style: AnsiStyle): CSSProperties | undefined {
  if (Object.keys(style).length === 0) return undefined;
  const color = colorOf(style.color);
  const background = colorOf(style.background);
  return {
    color: style.inverse ? (background ?? "var(--sunken)") : color,
    backgroundColor: style.inverse ? (color ?? "var(--ink-2)") : background,
    fontWeight: style.bold ? 650 : undefined,
    fontStyle: style.italic ? "italic" : undefined,
    textDecoration: style.underline ? "underline" : undefined,
  };
}

function colorOf(color: number | string | undefined): string | undefined {
  return typeof color === "number" ? `var(--ansi-${color})` : color;
}
