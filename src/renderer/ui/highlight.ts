/** Colours code with shiki's JavaScript engine; engine and grammars come in when a language is first seen. Loaded lazily. */
import {
  createCssVariablesTheme,
  createHighlighterCore,
  type HighlighterCore,
  type LanguageRegistration,
} from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { loadCode } from "../base/load-code.ts";

export type CodeToken = { text: string; color?: string };

/** By the names that people write behind a fence, and by endings of files. */
export const languages: Record<string, () => Promise<{ default: LanguageRegistration[] }>> = {
  bash: () => import("shiki/langs/shellscript.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  csharp: () => import("shiki/langs/csharp.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  dockerfile: () => import("shiki/langs/docker.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  ini: () => import("shiki/langs/ini.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/jsonc.mjs"),
  kotlin: () => import("shiki/langs/kotlin.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  php: () => import("shiki/langs/php.mjs"),
  powershell: () => import("shiki/langs/powershell.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  swift: () => import("shiki/langs/swift.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};

const shortNames: Record<string, string> = {
  sh: "bash",
  shell: "bash",
  shellscript: "bash",
  zsh: "bash",
  console: "bash",
  cpp: "c",
  "c++": "c",
  h: "c",
  cs: "csharp",
  docker: "dockerfile",
  htm: "html",
  svg: "xml",
  js: "javascript",
  mjs: "javascript",
  mts: "typescript",
  cts: "typescript",
  cjs: "javascript",
  jsx: "tsx",
  jsonc: "json",
  kt: "kotlin",
  md: "markdown",
  patch: "diff",
  ps1: "powershell",
  py: "python",
  rs: "rust",
  ts: "typescript",
  yml: "yaml",
};

const theme = createCssVariablesTheme({ name: "countersign", variablePrefix: "--code-" });
/** The names by which the engine knows what was loaded, by ours. */
const loaded = new Map<string, string>();
let engine: Promise<HighlighterCore> | undefined;

/** A grammar comes with those that it holds, itself last. @returns its name. */
async function loadLanguage(highlighter: HighlighterCore, load: (typeof languages)[string]): Promise<string> {
  const { default: grammars } = await loadCode(load);
  await highlighter.loadLanguage(...grammars);
  return grammars.at(-1)!.name;
}

/** @returns the tokens line by line, or `undefined` for a language that is not known. */
export async function highlight(code: string, language: string): Promise<CodeToken[][] | undefined> {
  const asked = language.toLowerCase();
  const name = shortNames[asked] ?? asked;
  const load = languages[name];
  if (!load) return undefined;
  engine ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const highlighter = await engine;
  const lang = loaded.get(name) ?? (await loadLanguage(highlighter, load));
  loaded.set(name, lang);
  // A line that took too long would end where it was: with a comment that is open, all that follows would look like one.
  const tokenizeTimeLimit = 0;
  const { tokens } = highlighter.codeToTokens(code, { lang, theme: "countersign", tokenizeTimeLimit });
  return tokens.map((line) => line.map((token) => ({ text: token.content, color: token.color })));
}
