/** What a process says on its error stream before it dies, for the one sentence that tells why. */

/** Of what it says, the last. */
const complaintChars = 2000;

/** The first line with a name of an error, or the last one at all. */
function wordComplaint(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? "";
}

/** @returns what says how a process ended, with the complaint it left on its error stream, if it left one. */
export function hearComplaint(stream: NodeJS.ReadableStream | null): (how: string) => string {
  let complaint = "";
  stream?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-complaintChars);
  });
  return (how) => [how, wordComplaint(complaint)].filter(Boolean).join(": ");
}
