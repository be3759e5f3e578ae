/** The real terminal of a running command: everything it draws, its size, and typing into it. Loaded lazily. */
import "@xterm/xterm/css/xterm.css";
import "./terminal.css";
import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal } from "@xterm/xterm";
import { useEffect, useRef, useState } from "react";
import { executionIdSchema } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { useMedia } from "../../base/media.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { followExecution, typeInto } from "./follow-execution.ts";
import { strings } from "./strings.ts";

const resizeAfterMs = 120;

type TerminalViewProps = { executionId: string; command: string; onLeave?: () => void };
type State = { waitingForInput: boolean; ended: boolean; problem?: string };

export default function TerminalView({ executionId, command, onLeave }: TerminalViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const terminal = useRef<Terminal>(null);
  const [state, setState] = useState<State>({ waitingForInput: false, ended: false });
  const theme = useSettings((store) => store.settings.theme);
  const dark = useMedia("(prefers-color-scheme: dark)");
  const forced = useMedia("(forced-colors: active)");

  useEffect(() => {
    if (!box.current) return;
    const life = new AbortController();
    terminal.current = openTerminal(box.current, executionId, setState, life.signal);
    return () => life.abort();
  }, [executionId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page, which these change
  useEffect(() => {
    if (box.current && terminal.current) terminal.current.options.theme = readTerminalTheme(box.current);
  }, [theme, dark, forced]);

  useEffect(() => {
    terminal.current?.attachCustomKeyEventHandler((event) => {
      if (event.key !== "F6") return true;
      if (event.type === "keydown") onLeave?.();
      return false;
    });
  });

  return (
    <div className="flex flex-col gap-1">
      <section
        aria-label={strings.terminal(spellOut(command.replaceAll("\n", " ")))}
        className="h-64 overflow-hidden rounded-md border border-line bg-sunken focus-within:border-ink"
      >
        <div ref={box} className="terminal-view h-full" />
      </section>
      <p role="status" className={state.waitingForInput ? "text-sm text-warn" : "text-sm text-ink-3"}>
        {state.problem ? <ForeignText text={state.problem} lines /> : hintFor(state)}
      </p>
    </div>
  );
}

function hintFor({ ended, waitingForInput }: State): string {
  if (ended) return strings.ended;
  return waitingForInput ? `${strings.waitingForInput} ${strings.takeOver}` : strings.takeOver;
}

function openTerminal(
  box: HTMLElement,
  executionId: string,
  onState: (state: State) => void,
  signal: AbortSignal,
): Terminal {
  const adopted = createAdoptedDocument(box.ownerDocument);
  const style = getComputedStyle(box);
  const terminal = new Terminal({
    documentOverride: adopted.document,
    fontFamily: style.getPropertyValue("--font-code"),
    fontSize: Math.round(
      Number.parseFloat(getComputedStyle(box.ownerDocument.documentElement).fontSize) * 0.92,
    ),
    theme: readTerminalTheme(box),
    scrollback: 5_000,
    allowProposedApi: false,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  adopted.during(() => terminal.open(box));
  terminal.onData((data) => void typeInto(executionId, data));
  const stopFitting = keepFitting(box, terminal, fit, executionId);
  followExecution(
    executionId,
    {
      onOutput(data, { restart, waitingForInput, ended }) {
        if (restart) terminal.reset();
        terminal.write(data);
        terminal.options.disableStdin = ended;
        onState({ waitingForInput, ended });
      },
      onGone: () => onState({ waitingForInput: false, ended: true, problem: strings.gone }),
    },
    signal,
  );
  signal.addEventListener("abort", () => {
    stopFitting();
    terminal.dispose();
    adopted.release();
  });
  return terminal;
}

/** Keeps the terminal as large as its box and tells the command; one that has ended needs not be told. */
function keepFitting(box: HTMLElement, terminal: Terminal, fit: FitAddon, executionId: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new ResizeObserver(() => {
    fit.fit();
    clearTimeout(timer);
    timer = setTimeout(tell, resizeAfterMs);
  });
  const tell = () => {
    const cols = Math.min(500, Math.max(20, terminal.cols));
    const rows = Math.min(300, Math.max(5, terminal.rows));
    const id = executionIdSchema.parse(executionId);
    client()
      .call("executions.resize", { executionId: id, cols, rows })
      .catch(() => undefined);
  };
  observer.observe(box);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** @param inside an element in the page, whose colour scheme counts. */
function readTerminalTheme(inside: HTMLElement): ITheme {
  const probe = inside.appendChild(inside.ownerDocument.createElement("i"));
  const read = (value: string) => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const theme: ITheme = {
    background: read("var(--sunken)"),
    foreground: read("var(--ink)"),
    cursor: read("var(--ink)"),
    cursorAccent: read("var(--sunken)"),
    selectionBackground: read("color-mix(in srgb, var(--ink) 30%, transparent)"),
  };
  names.forEach((name, index) => {
    theme[name] = read(`var(--ansi-${index})`);
    theme[`bright${name[0]?.toUpperCase()}${name.slice(1)}` as "brightRed"] = read(
      `var(--ansi-${index + 8})`,
    );
  });
  probe.remove();
  return theme;
}

type AdoptedDocument = {
  document: Document;
  /** Lets `act` make its elements the same way through the page's own document: xterm's viewport knows no other. */
  during(act: () => void): void;
  /** Takes the sheets out of the page. */
  release(): void;
};

/**
 * Works like `document`, except that a `style` element it makes writes into a sheet of the page,
 * and that setting the attribute `style` goes through the CSSOM.
 */
function createAdoptedDocument(page: Document): AdoptedDocument {
  const createPageElement = page.createElement.bind(page);
  const sheets = new Set<CSSStyleSheet>();

  function createElement(name: string): HTMLElement {
    if (name !== "style") return withStyleByCssom(createPageElement(name));
    const sheet = new CSSStyleSheet();
    sheets.add(sheet);
    page.adoptedStyleSheets.push(sheet);
    return Object.defineProperty(createPageElement("i"), "textContent", {
      set: (text: string) => sheet.replaceSync(text),
      get: () => "",
    });
  }

  const methods: Partial<Record<PropertyKey, unknown>> = { createElement };
  const document = new Proxy(page, {
    get(target, key) {
      if (key in methods) return methods[key];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    document,
    during(act) {
      page.createElement = createElement;
      try {
        act();
      } finally {
        Reflect.deleteProperty(page, "createElement");
      }
    },
    release() {
      page.adoptedStyleSheets = page.adoptedStyleSheets.filter((sheet) => !sheets.has(sheet));
    },
  };
}

function withStyleByCssom(element: HTMLElement): HTMLElement {
  const setAttribute = element.setAttribute.bind(element);
  element.setAttribute = (name, value) => {
    if (name === "style") element.style.cssText = value;
    else setAttribute(name, value);
  };
  return element;
}
