/** The words of terminals. */
export const strings = {
  terminal: (command: string) => `Terminal of ${command}`,
  liveOutput: "Live output",
  showAll: (lines: number) => `Show all ${lines} lines`,
  /** Where the middle of the output is not at hand. */
  showOf: (lines: number, total: number) => `Show ${lines} of ${total} lines`,
  showLess: "Show less",
  leftOut: (lines: number) => (lines === 1 ? "1 line folded" : `${lines} lines folded`),
  printed: (size: string) => `${size} printed`,
  waitingForInput: "It waits for input.",
  input: "Input for the command",
  inputHint: "Answer, then Enter",
  give: "Enter",
  stopCommand: "End this command",
  notStopped: "The command was not ended",
  openTerminal: "Open terminal",
  takeOver: "Click or Tab into it to type; F6 leaves it.",
  ended: "Ended.",
  noOutput: "No output yet.",
  loading: "Opening the terminal…",
  gone: "This command has ended and its output is not kept.",
  failed: "That did not reach the command",
};
