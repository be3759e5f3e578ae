/** Finds out whether the person is mentioning a file or typing a command, from the text and where the caret stands. */

export type Trigger = {
  kind: "file" | "command";
  /** What was typed behind the sign. */
  query: string;
  /** Where the sign stands, and where the typed part ends. */
  from: number;
  to: number;
};

/** `/` counts at the very start of the message only, `@` after a space or a bracket; a mail address is no mention. */
export function findTrigger(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before);
  if (command) return { kind: "command", query: command[1] ?? "", from: 0, to: caret };
  const mention = /(?:^|[\s("'[])@([^\s@]{0,200})$/.exec(before);
  if (!mention) return undefined;
  const query = mention[1] ?? "";
  return { kind: "file", query, from: caret - query.length - 1, to: caret };
}
