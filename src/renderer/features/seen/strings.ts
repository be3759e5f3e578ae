/** What is said of a text that has to be looked at to its end. */
export const strings = {
  longField: (lines: number) => `${lines} lines are too many to be shown at once.`,
  hiddenInField: "It holds characters that do not show or look like others:",
  turnedInField: "Words written from right to left stand in this field in another order than they run in.",
  waive: "Take as read…",
  waiveAgain: "Decide without reading the rest",
};
