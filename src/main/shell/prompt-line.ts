/** Recognises a question at the end of an output, for programs that poll the keyboard instead of reading it. */

import { cleanOutput } from "./clean-output.ts";

/** A longer line is no prompt. */
const promptLength = 200;

/** An unfinished last line that ends like a question. */
const prompt = /(?:[:?>]|\[[^\]]*\]|\([^)]*\))[ \t]*$/;

/** Whether the output ends in an unfinished line that asks for something. */
export function endsInPrompt(tail: Uint8Array): boolean {
  const text = cleanOutput(new TextDecoder().decode(tail));
  const line = text.slice(text.lastIndexOf("\n") + 1);
  return line.trim() !== "" && line.length <= promptLength && prompt.test(line);
}
