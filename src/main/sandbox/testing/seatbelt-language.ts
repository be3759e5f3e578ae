/** Stands for macOS' reader of profiles: it takes what that takes, refuses what that refuses, and says what a profile decides. */

type Word = { readonly text: string; readonly kind: "symbol" | "string" | "regex" };
type Form = Word | readonly Form[];
export type Rule = {
  readonly allows: boolean;
  readonly operations: readonly string[];
  readonly filters: readonly Form[];
};

const isWord = (form: Form | undefined): form is Word => form !== undefined && !Array.isArray(form);
const symbolOf = (form: Form | undefined) => (isWord(form) && form.kind === "symbol" ? form.text : undefined);

/** @throws where a text or list has no end, or one ends that never began */
function readForms(text: string): Form[] {
  const stack: Form[][] = [[]];
  const token = /\s+|;[^\n]*|(\()|(\))|(#?)"((?:[^"\\]|\\[\s\S])*)"|([^\s()";]+)|([\s\S])/gy;
  for (const [, open, close, sharp, quoted, bare, other] of text.matchAll(token)) {
    if (other !== undefined) throw new Error("unexpected end of input");
    if (open !== undefined) stack.push([]);
    else if (close !== undefined) {
      const list = stack.pop();
      if (list === undefined || stack.length === 0) throw new Error("unexpected )");
      stack.at(-1)?.push(list);
    } else if (quoted !== undefined)
      stack.at(-1)?.push({
        kind: sharp === "#" ? "regex" : "string",
        text: sharp === "#" ? quoted : quoted.replaceAll(/\\([\s\S])/g, "$1"),
      });
    else if (bare !== undefined) stack.at(-1)?.push({ kind: "symbol", text: bare });
  }
  if (stack.length !== 1) throw new Error("unexpected end of input");
  return stack[0] ?? [];
}

const files = ["literal", "subpath", "regex", "vnode-type", "extension"];
const addresses = ["remote", "local", "literal", "subpath"];
/** What may stand behind each operation; any other operation is no word of the language. */
const operations: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    ["*", "-data", "-metadata", "-xattr"].map((part) => [`file-read${part}`, files] as const),
  ),
  ...Object.fromEntries(
    ["*", "-data", "-create", "-unlink", "-mode", "-owner", "-flags", "-times", "-xattr", "-setugid"].map(
      (part) => [`file-write${part}`, files] as const,
    ),
  ),
  ...Object.fromEntries(["file-ioctl", "file-link", "process-exec"].map((name) => [name, files] as const)),
  ...Object.fromEntries(["*", "-outbound", "-inbound", "-bind"].map((part) => [`network${part}`, addresses])),
  ...Object.fromEntries(["signal", "process-info*"].map((name) => [name, ["target"]])),
  ...Object.fromEntries(
    ["sysctl-read", "sysctl-write"].map((name) => [name, ["sysctl-name", "sysctl-name-prefix"]]),
  ),
  ...Object.fromEntries(
    [
      "default",
      "nvram*",
      "process-fork",
      "pseudo-tty",
      "user-preference-read",
      "mach-host*",
      "ipc-posix-sem",
    ].map((name) => [name, []]),
  ),
  "mach-lookup": ["global-name", "local-name"],
  "iokit-open": ["iokit-registry-entry-class", "iokit-user-client-class"],
  "system-socket": ["socket-domain", "socket-protocol"],
};

type Parameters = ReadonlyMap<string, string>;

function textOf(form: Form | undefined, parameters: Parameters): string {
  if (isWord(form) && form.kind === "string") return form.text;
  const [head, name] = Array.isArray(form) ? form : [];
  if (symbolOf(head) !== "param") throw new Error("expected a string");
  const value = parameters.get(textOf(name, parameters));
  if (value === undefined) throw new Error("a parameter that nobody gave");
  return value;
}

function checkFilter(form: Form, operation: string, parameters: Parameters): void {
  if (isWord(form)) throw new Error(`${operation} takes no ${form.text}`);
  const [head, ...rest] = form;
  const name = symbolOf(head) ?? "";
  if (/^require-(?:all|any|not)$/.test(name)) {
    for (const each of rest) checkFilter(each, operation, parameters);
    return;
  }
  if (!operations[operation]?.includes(name)) throw new Error(`${operation} cannot be filtered by ${name}`);
  const [first, second] = rest;
  if (name === "regex") {
    if (!isWord(first) || first.kind !== "regex") throw new Error("expected a regular expression");
    new RegExp(first.text);
  } else if (name === "remote" || name === "local") {
    checkAddress(first, second, parameters);
  } else if (/^(?:target|vnode-type|socket-)/.test(name)) {
    if (symbolOf(first) === undefined) throw new Error(`${name} takes a word`);
  } else {
    const text = textOf(first, parameters);
    const isPath = name === "literal" || name === "subpath";
    if (isPath && (!text.startsWith("/") || (text !== "/" && text.endsWith("/"))))
      throw new Error(`${text} is no whole path`);
  }
}

function checkAddress(kind: Form | undefined, where: Form | undefined, parameters: Parameters): void {
  const [head, filter] = Array.isArray(kind) ? kind : [kind, where];
  if (symbolOf(head) === "unix-socket") {
    if (filter !== undefined) checkFilter(filter, "file-read*", parameters);
  } else if (/^(?:ip|tcp|udp)$/.test(symbolOf(head) ?? "")) {
    if (!/^(?:\*|localhost):(?:\*|\d+)$/.test(textOf(filter, parameters)))
      throw new Error("host must be * or localhost in network address");
  } else throw new Error("no address of a known kind");
}

/** @throws as sandbox-exec would refuse it; it names the reason in words of its own */
export function readProfile(text: string, parameters: Parameters): Rule[] {
  const [version, ...forms] = readForms(text);
  const [head, number] = Array.isArray(version) ? version : [];
  if (symbolOf(head) !== "version" || symbolOf(number) !== "1") throw new Error("no version specified");
  return forms.map((form) => {
    const [decision, ...rest] = isWord(form) ? [] : form;
    const word = symbolOf(decision);
    if (word !== "allow" && word !== "deny") throw new Error(`unbound variable: ${word}`);
    const named = rest.filter(isWord).map((each) => symbolOf(each) ?? "");
    const filters = rest.filter((each) => !isWord(each));
    if (named.length === 0) throw new Error(`${word} without an operation`);
    for (const operation of named) {
      if (operations[operation] === undefined) throw new Error(`unbound variable: ${operation}`);
      for (const each of filters) checkFilter(each, operation, parameters);
    }
    return { allows: word === "allow", operations: named, filters };
  });
}

function fits(form: Form, path: string, parameters: Parameters): boolean {
  const [head, first, ...rest] = isWord(form) ? [] : form;
  const name = symbolOf(head);
  if (name === "literal") return path === textOf(first, parameters);
  if (name === "subpath") return `${path}/`.startsWith(`${textOf(first, parameters).replace(/\/$/, "")}/`);
  if (name === "regex") return isWord(first) && new RegExp(first.text).test(path);
  if (name === "require-all")
    return [first, ...rest].every((each) => each !== undefined && fits(each, path, parameters));
  // Of an extension, an address or a kind of file nothing is known here, and closed is the safe answer.
  return false;
}

/** What is decided of a file, by the last rule that is about it. */
export function decides(rules: readonly Rule[], operation: string, path: string, parameters: Parameters) {
  const isAbout = (each: string) =>
    each === "default" ||
    each === operation ||
    (each.endsWith("*") && operation.startsWith(each.slice(0, -1)));
  const last = rules.findLast(
    (rule) =>
      rule.operations.some(isAbout) &&
      (rule.filters.length === 0 || rule.filters.some((each) => fits(each, path, parameters))),
  );
  return last?.allows ?? false;
}

/** Each path that a rule names. */
export function pathsOf(rules: readonly Rule[], parameters: Parameters): string[] {
  const inForm = (form: Form): string[] => {
    if (isWord(form)) return [];
    const [head, first] = form;
    if (/^(?:literal|subpath)$/.test(symbolOf(head) ?? "")) return [textOf(first, parameters)];
    return form.flatMap(inForm);
  };
  return [...new Set(rules.flatMap(({ filters }) => filters.flatMap(inForm)))];
}

/** Whether anything is allowed with this filter, such as `ip`. */
export function allowsAddress(rules: readonly Rule[], kind: string): boolean {
  const holds = (form: Form): boolean => (isWord(form) ? form.text === kind : form.some(holds));
  return rules.some(
    ({ allows, operations: named, filters }) =>
      allows && named.some((each) => each.startsWith("network")) && filters.some(holds),
  );
}
