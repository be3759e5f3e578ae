/** Decides which rules stand for one whole command and which for every command that begins alike. */
import type { CommandRule } from "./policy-context.ts";

/** Programs whose every word says what is done to which file: one word more is another deed. */
const wholeCommand = new Set(
  "rm mv cp ln mkdir rmdir touch tee chmod chown chgrp install unlink zip unzip tar rsync sed sort dd split csplit shuf sponge gzip gunzip bzip2 bunzip2 xz unxz zstd cc c++ gcc g++ clang clang++ ld ar as strip objcopy".split(
    " ",
  ),
);
/**
 * Programs of which no shorter rule makes sense: the words are the address, the data and the method, or name files that
 * are run as programs and written whatever they are called.
 */
const alwaysExact = new Set(
  "curl wget wget2 aria2c http https httpie xh xhs npx pnpx convert magick mogrify montage composite ffmpeg pandoc dot neato gs ps2pdf pdftk pdflatex xelatex lualatex latex latexmk tectonic protoc javac ghc ocamlc ocamlopt swiftc sphinx-build gunicorn uvicorn ncc".split(
    " ",
  ),
);
/** Whether a rule for the program stands for one whole command, whatever it says of itself. */
export function isAlwaysExact(program: string): boolean {
  return alwaysExact.has(program);
}

/** Subcommands that take in what they are given: the next word is another package or address. */
const takesIn =
  /^(?:npm (?:install|i|in|ins|add|init|create|exec|x|view|info|uninstall|remove|rm|un|update|link|pack|pkg|version|audit|config|c|get)|(?:pnpm|yarn|bun) (?:config|get|add|install|remove|dlx|create|update|upgrade|link)|pip3? (?:install|uninstall|download)|(?:poetry|uv|pdm) (?:add|remove|pip|tool)|cargo (?:add|install|remove|new|init)|gem (?:install|uninstall|fetch)|go (?:get|mod)|composer (?:require|remove)|dotnet (?:add|remove|tool)|brew \S+|git (?:clone|fetch|pull|remote|checkout|restore|switch|rm|mv|worktree|submodule|reset|branch|tag|apply|am))$/;

/** Whether a rule that is proposed for a command with these words has to be the whole command. */
export function needsWholeCommand(tokens: readonly string[]): boolean {
  const [name = "", second = ""] = tokens;
  return wholeCommand.has(name) || isAlwaysExact(name) || takesIn.test(`${name} ${second}`);
}

/**
 * Whether a rule holds for exactly its words. What the rule says of itself counts, except for `curl` and its like, whose
 * words are the address, the data and the method. A rule from before there were exact ones was made of a whole command
 * when its program is one of those and it names more than the program; it is narrowed, never widened.
 */
export function isExactRule(rule: Pick<CommandRule, "tokens" | "effect"> & { exact?: boolean }): boolean {
  const [name = ""] = rule.tokens;
  if (rule.effect !== "allow") return rule.exact === true;
  if (isAlwaysExact(name)) return true;
  return rule.exact ?? (wholeCommand.has(name) && rule.tokens.length > 1);
}
