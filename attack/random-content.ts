/** Texts of every script and size that a model or a tool can produce. */

const scripts: Record<string, readonly string[]> = {
  latin: [..."abcdefghij klmno.pqrs,tuvwxyz\n"],
  quoted: ['"', "\\", "'", "`", "$", "{", "}", "\n", "/"],
  chinese: [..."天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏"],
  emoji: ["😀", "👩‍👩‍👧", "🏳️‍🌈", "é", "ﷺ"],
  control: ["\u0001", "\u0007", "\u001b", "\u007f", "\u0085", "\u2028"],
  zero: ["\u0000"],
  halves: ["\ud83d", "\ude00", "x"],
  turning: ["\u202e", "\u2066", "\u200b", "\ufeff", "a"],
};
export type Script = keyof typeof scripts;
export const scriptNames = Object.keys(scripts);

/** A text of about so many UTF-16 units; the beginning is random, long ones repeat it. */
export function makeText(random: () => number, script: Script, units: number): string {
  const letters = scripts[script]!;
  let seed = "";
  while (seed.length < Math.min(units, 500)) seed += letters[Math.floor(random() * letters.length)];
  return seed.repeat(Math.ceil(units / seed.length)).slice(0, units);
}

/** From 1 to `most`, every power of ten as likely as another. */
export function makeSize(random: () => number, most: number): number {
  return Math.ceil(most ** random());
}
