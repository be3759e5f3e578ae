/** What a thread is called before a person names it. */
export const untitled = "New thread";

const mostCharacters = 60;
const fewestCharacters = 30;

/** The first line of its first message, cut at a word. */
export function titleOf(text: string): string {
  const line = text.trim().split("\n")[0]!.trim();
  if (line === "") return untitled;
  if (line.length <= mostCharacters) return line;
  const cut = line.slice(0, mostCharacters);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), fewestCharacters))}…`;
}
