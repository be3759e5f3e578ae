/** What is said of a text that has to be looked at to its end. */
export const strings = {
  longField: (lines: number) => `${lines} lines are too many to be shown at once.`,
  hiddenInField: "It holds characters that do not show or look like others:",
  turnedInField: "Words written from right to left stand in this field in another order than they run in.",
  /** Of the line that fills as a card is read. */
  gauge: "Read",
  percentRead: (percent: number) => `${percent} % read`,
  readOn: "Read on",
  readSoFar: (percent: number) => `${percent} % was on the screen so far. Read on for more.`,
  readToEnd: "That was all of it: it can be decided now.",
  waive: "Take as read…",
  waiveAgain: "Decide without reading the rest of this",
};
