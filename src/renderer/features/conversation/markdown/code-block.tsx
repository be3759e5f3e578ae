/** A code block of a message: its language, a copy button, and colours once the block is complete. */
import { useIsCodeFenceIncomplete } from "streamdown";
import type { CodeToken } from "../../../ui/highlight.ts";
import { useCodeTokens } from "../../../ui/use-code-tokens.ts";
import { CopyButton } from "../copy-button.tsx";
import { strings } from "../strings.ts";

export function CodeBlock({ code, language }: { code: string; language: string }) {
  const incomplete = useIsCodeFenceIncomplete();
  const tokens = useCodeTokens(code, language, !incomplete);
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
