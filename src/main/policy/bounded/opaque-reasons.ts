/** The reasons that say of a text only that nobody can read it, or of a program that nobody knows it: what a sandbox bounds. */

/** Each is a whole sentence, so that no word of a command can pass for one. */
export const opaque = {
  expansion: "The text is made when the command runs (an expansion or substitution).",
  substitution: "A command substitution makes the text when the command runs.",
  ansiQuoting: "ANSI-C quoting hides what the word says.",
  translated: "A translated string is not literal.",
  splitting: "An unquoted variable may split into words.",
  extendedPattern: "An extended pattern is not literal.",
  braces: "A brace expansion makes several words of one.",
  hereDocument: "A here-document expands text when the command runs.",
  function: "A function can take the place of any command that follows.",
  coprocess: "A coprocess runs beside the command.",
  arithmetic: "Shell arithmetic can run commands hidden in variables.",
  loopVariable: "The loop sets a variable that may change later commands.",
  setting: "Setting a variable can change what a command does.",
  assignment: "The assignment has a subscript, a list or an addition.",
  shell: "A shell that does not read one literal script with -c runs what nobody can see here.",
  directory: "It is not clear which directory this leads to.",
  namePattern: "The command's name is a file pattern.",
  nameLetters: "The command's name has letters outside of ASCII.",
  nameForm: "The command's name is not an ordinary program name.",
  interpreter: "It runs a program from text or a file, which nobody can read here.",
  starter: "It starts other programs.",
  shellState: "It changes what later commands mean or reads text as shell code.",
  interactive: "It is an interactive program that can start commands.",
  namedInside: "It applies changes to files that are named in its input only.",
  otherSettings: "It makes the tool start another program or read other settings.",
  extracting: "Extracting writes to paths that only the archive knows.",
} as const;

/** What it is for needs the network or sockets, which no sandbox of ours gives. */
export const reachesOut = "It reaches or changes other machines.";

const reasons: ReadonlySet<string> = new Set(Object.values(opaque));

/** Closed: a reason that is not in the list says something that a sandbox does not bound. */
export function isOpaque(reason: string): boolean {
  return reasons.has(reason);
}
