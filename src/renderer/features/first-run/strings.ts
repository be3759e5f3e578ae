/** The words of the first steps. */
export const strings = {
  title: "First steps",
  step: (now: number, all: number) => `Step ${now} of ${all}`,
  skip: "Skip",
  next: "Next",
  notSaved: "This could not be remembered; the first steps show again next time.",

  folderTitle: "Choose a folder",
  folderText: "An agent reads, writes and runs commands in one folder. Anything risky waits for you first.",
  folder: "Folder",
  pick: "Choose…",
  noFolder: "Enter the path of a folder.",

  modelTitle: "Try the demo, or set a key",
  modelText:
    "The demo follows instruction lines word for word, with no AI and no key. Both can be changed later.",
  demo: "Try the scripted demo (no AI)",
  ownKey: "Use a model with my key",
  provider: "Provider",
  key: "API key",
  saveKey: "Save key",
  keyMissing: "Paste the key of this provider.",
  keyKept: "The key is kept on this computer and is never shown again.",

  taskTitle: "Start with a task",
  taskText:
    "One of these opens a thread with the words filled in. Nothing starts before you press Send there.",
  ownTask: "Something else",
};
