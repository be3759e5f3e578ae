/** Colours for code: when the browser has time, and the last ones kept, since rows come and go while a person scrolls. */
import { useEffect, useState } from "react";
import { loadCode } from "../base/load-code.ts";
import type { CodeToken } from "./highlight.ts";

const longestColoured = 20_000;
const mostKept = 200;
const kept = new Map<string, CodeToken[][]>();

/**
 * @param language a name, or the ending of a file's name; empty for none.
 * @returns the tokens line by line, `undefined` until they are there, and for what is not coloured.
 */
export function useCodeTokens(code: string, language: string, wanted = true): CodeToken[][] | undefined {
  const key = `${language}\n${code}`;
  const [found, setFound] = useState<{ key: string; tokens: CodeToken[][] }>();
  useEffect(() => {
    if (!wanted || !language || code === "" || code.length > longestColoured || kept.has(key)) return;
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
