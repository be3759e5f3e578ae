/** How programs on Windows take their command line apart; written from the published rules, for tests only. */

/** As `CommandLineToArgvW` does, and with it every program of the C library, Node and PowerShell. */
export function readAsWindows(line: string): string[] {
  const words: string[] = [];
  let word = "";
  let isOpen = false;
  let quotes = 0;
  let slashes = 0;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at]!;
    if ((char === " " || char === "\t") && quotes === 0) {
      if (isOpen) words.push(word);
      [word, isOpen, slashes] = ["", false, 0];
      continue;
    }
    isOpen = true;
    if (char !== '"') {
      slashes = char === "\\" ? slashes + 1 : 0;
      word += char;
      continue;
    }
    const isText = slashes % 2 === 1;
    word = word.slice(0, word.length - Math.ceil(slashes / 2)) + (isText ? '"' : "");
    if (!isText) quotes += 1;
    slashes = 0;
    while (line[at + 1] === '"') {
      at += 1;
      quotes += 1;
      if (quotes === 3) {
        word += '"';
        quotes = 0;
      }
    }
    if (quotes === 2) quotes = 0;
  }
  return isOpen ? [...words, word] : words;
}

/** The end of a quoted piece, as the runtime of Git's bash finds it. */
function endOfQuote(line: string, start: number): number {
  const quote = line[start]!;
  let at = start + 1;
  while (at < line.length) {
    if (quote === '"' && line[at] === "\\") at += 2;
    else if (line[at] === quote && quote === '"' && line[at + 1] === '"') at += 2;
    else if (line[at] === quote) return at + 1;
    else at += 1;
  }
  return at;
}

/** Takes the quotes away: a backslash within them stands for itself, except before a quote or another one. */
function unquote(word: string): string {
  let text = "";
  for (let at = 0; at < word.length; at += 1) {
    const quote = word[at]!;
    if (quote !== '"' && quote !== "'") {
      text += quote;
      continue;
    }
    for (at += 1; at < word.length && word[at] !== quote; at += 1) {
      if (word[at] === "\\" && (word[at + 1] === quote || word[at + 1] === "\\")) at += 1;
      text += word[at];
    }
  }
  return text;
}

/** As the runtime of Git's bash does when a program of Windows starts it: also `'` quotes, and backslashes pair up. */
export function readAsGitBash(line: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at]!)) {
      at += 1;
      continue;
    }
    const start = at;
    while (at < line.length && !/\s/.test(line[at]!))
      at = line[at] === '"' || line[at] === "'" ? endOfQuote(line, at) : at + 1;
    words.push(unquote(line.slice(start, at)));
  }
  return words;
}

/** What a text in single quotes stands for in PowerShell, to which curly ones are quotes too; undefined when it ends early. */
export function readAsPowerShellText(literal: string): string | undefined {
  const isQuote = (char: string | undefined) => char !== undefined && /['\u2018-\u201b]/.test(char);
  if (!isQuote(literal[0])) return undefined;
  let text = "";
  for (let at = 1; at < literal.length; at += 1) {
    if (!isQuote(literal[at])) text += literal[at];
    else if (isQuote(literal[at + 1])) {
      text += literal[at];
      at += 1;
    } else return at === literal.length - 1 ? text : undefined;
  }
  return undefined;
}
