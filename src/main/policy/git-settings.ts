/** Reads a file of git's settings as git itself does: https://git-scm.com/docs/git-config#_syntax. */

/** `clean = …` below `[filter "x"]`: `filter` and `clean`, in small letters, and the value as git takes it. */
export type GitSetting = { section: string; key: string; value: string };

const blank = /(?:[ \t\r\n]+|[#;][^\n]*)*/y;
const head = /\[([A-Za-z0-9.-]*)(?:[ \t\r]+"(?:[^"\\\n]|\\[^\n])*")?\]/y;
const name = /([A-Za-z][A-Za-z0-9-]*)[ \t\r]*(=?)/y;
const escapes: Readonly<Record<string, string>> = {
  "\n": "",
  ...{ n: "\n", t: "\t", b: "\b", "\\": "\\", '"': '"' },
};

const refuse = (): never => {
  throw new Error("These are no settings of git.");
};

/** The value that begins at a place, up to the end of its last line or a comment behind it, and where that is. */
function readValue(source: string, start: number): { value: string; end: number } {
  let [value, blanks, isQuoted] = ["", "", false];
  for (let at = start; ; at += 1) {
    const char = source[at] ?? "\n";
    if (char === "\n") return isQuoted ? refuse() : { value, end: at };
    if (!isQuoted && /[#;]/.test(char)) return { value, end: at };
    if (!isQuoted && /[ \t\r]/.test(char)) {
      blanks += value === "" ? "" : char;
      continue;
    }
    value += blanks;
    blanks = "";
    if (char === '"') isQuoted = !isQuoted;
    else if (char === "\\") value += escapes[source[++at] ?? "\n"] ?? refuse();
    else value += char;
  }
}

/**
 * All settings of a file, in its order.
 *
 * @throws Error for a file that git refuses to read
 */
export function readGitSettings(text: string): GitSetting[] {
  const source = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const settings: GitSetting[] = [];
  let section: string | undefined;
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source) ?? undefined;
    if (found !== undefined) at = pattern.lastIndex;
    return found;
  };
  for (take(blank); at < source.length; take(blank)) {
    const begun = take(head);
    const set = begun === undefined && section !== undefined ? take(name) : undefined;
    if (begun !== undefined) section = begun[1]!.split(".")[0]!.toLowerCase();
    else if (set === undefined) refuse();
    else {
      const { value, end } = set[2] === "=" ? readValue(source, at) : { value: "", end: at };
      settings.push({ section: section!, key: set[1]!.toLowerCase(), value });
      at = end;
    }
  }
  return settings;
}
