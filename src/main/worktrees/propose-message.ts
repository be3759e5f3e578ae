/** Proposes the message of a commit from what a thread is about and what it changed. */

const longestSubject = 72;
const mostListed = 20;

/** @param title of the thread; may be empty */
export function proposeMessage(title: string, files: readonly string[]): string {
  const words = title.replace(/[\p{C}\s]+/gu, " ").trim() || "Changes of a thread";
  const letters = [...words];
  const subject =
    letters.length > longestSubject ? `${letters.slice(0, longestSubject - 1).join("")}…` : words;
  const more = files.length - mostListed;
  const listed = [
    ...files.slice(0, mostListed).map((name) => `- ${name.replace(/\p{C}+/gu, " ")}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
  return [subject, ...(listed.length > 0 ? ["", ...listed] : [])].join("\n");
}
