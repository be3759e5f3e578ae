/** The built-in sample behind `demo tour`: every part of the product once, with four requests on the way, one for each key the console teaches beside them. */

const goals = [
  "Look at the workspace",
  "Write a note and change it",
  "Run a command",
  "Let a sub-agent check",
];

/**
 * The lines of the tour, paragraphs apart.
 * @param seed distinguishes the note of this tour from one an earlier tour left behind.
 */
export function tourLines(seed: string): string {
  const note = `countersign-tour-${seed.slice(0, 6)}.md`;
  return [
    [
      "say This is the scripted demo: no AI is involved. I plan, look around, and ask before anything risky.",
      ...planLines(0),
      "ls .",
    ],
    [
      "say First request: a new file. Approve it.",
      ...planLines(1),
      `write ${note} # Countersign tour\\n\\nStatus: draft\\n\\nNothing here ran without your approval.\\n`,
    ],
    [
      "say Second request: a change to it, shown as a difference. Approve it, take that back, and approve again.",
      `edit ${note} Status: draft => Status: reviewed`,
    ],
    [
      "say Third request: a command in the shell. Reject it with a reason, if you like; I go on without it.",
      ...planLines(2),
      // It touches a file, since nobody is asked about commands that only read.
      `run touch ${note} && echo "The tour is nearly over"`,
    ],
    [
      "say Now a sub-agent reads the note and reports back.",
      ...planLines(3),
      `delegate general-purpose: read ${note} ;; say The note is there, I have read it.`,
    ],
    ["say Last request: deleting the note again, which cannot be undone.", `run rm -rf ${note}`],
    ["say Everything on the list is done.", ...planLines(goals.length)],
  ]
    .map((paragraph) => paragraph.join("\n"))
    .join("\n\n");
}

function planLines(done: number): string[] {
  return goals.map((goal, index) => `todo ${index < done ? "[x]" : index === done ? "[>]" : "[ ]"} ${goal}`);
}
