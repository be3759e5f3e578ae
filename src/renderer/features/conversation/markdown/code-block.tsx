/** A code block of a message: its language, a copy button, and colours once the block is complete. */
import { useEffect, useState } from "react";
import { useIsCodeFenceIncomplete } from "streamdown";
import { loadCode } from "../../../base/load-code.ts";
import { CopyButton } from "../copy-button.tsx";
import { strings } from "../strings.ts";
import type { CodeToken } from "./highlight.ts";

const longestColoured = 20_000;
const mostKept = 200;
const kept = new Map<string, CodeToken[][]>();

export function CodeBlock({ code, language }: { code: string; language: string }) {
  const incomplete = useIsCodeFenceIncomplete();
  const tokens = useTokens(code, language, !incomplete);
  return (
    <div className="code-block group/code relative">
      <div className="flex h-7 items-center justify-between rounded-t-md border border-b-0 border-line bg-sunken pr-1 pl-3 font-mono text-xs text-ink-3">
        {language || strings.plainText}
        <CopyButton label={strings.copyCode} text={() => code} className="size-6!" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: code scrolls sideways and must be reachable by keyboard */}
      <pre tabIndex={0} className="mt-0! rounded-t-none!">
        <code>{tokens ? <Coloured tokens={tokens} /> : code}</code>
      </pre>
    </div>
  );
}

function Coloured({ tokens }: { tokens: readonly CodeToken[][] }) {
  return tokens.map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line of code has no other identity than its place
    <span key={row}>
      {line.map((token, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a token has no other identity than its place
        <span key={index} style={token.color ? { color: token.color } : undefined}>
          {token.text}
        </span>
      ))}
      {row < tokens.length - 1 && "\n"}
    </span>
  ));
}

/** Colours when the browser has time, and keeps the last ones, since rows come and go while a person scrolls. */
function useTokens(code: string, language: string, wanted: boolean): CodeToken[][] | undefined {
  const key = `${language}\n${code}`;
  const [found, setFound] = useState<{ key: string; tokens: CodeToken[][] }>();
  useEffect(() => {
    if (!wanted || !language || code.length > longestColoured || kept.has(key)) return;
    let gone = false;
    const task = requestIdleCallback(async () => {
      const { highlight } = await loadCode(() => import("./highlight.ts"));
      const tokens = gone ? undefined : await highlight(code, language);
      if (!tokens) return;
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? "");
      kept.set(key, tokens);
      if (!gone) setFound({ key, tokens });
    });
    return () => {
      gone = true;
      cancelIdleCallback(task);
    };
  }, [code, language, key, wanted]);
  return kept.get(key) ?? (found?.key === key ? found.tokens : undefined);
}
