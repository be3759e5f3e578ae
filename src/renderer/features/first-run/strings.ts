/** The words of the first steps. */
export const strings = {
  title: "First steps",
  lead: "Agents ask here. You decide.",
  leadText: "Nothing risky runs before you say yes.",
  step: (now: number, all: number) => `Step ${now} of ${all}`,
  skip: "Skip",
  next: "Next",
  notSaved: "This could not be remembered; the first steps show again next time.",

  folderTitle: "Choose a folder",
  folderText: "An agent reads, writes and runs commands in one folder.",
  folder: "Folder",
  pick: "Choose…",
  noFolder: "Enter the path of a folder.",

  modelTitle: "Try the demo, or connect a model",
  modelText:
    "The demo follows instruction lines word for word, with no AI and no key. Both can be changed later.",
  demo: "Try the scripted demo (no AI)",
  ownModel: "Use a model of mine",
  provider: "Provider",
  key: "API key",
  keyIfAsked: "API key, if it asks for one",
  saveKey: "Save key",
  address: "Server address",
  addressHint: "Such as http://127.0.0.1:1234/v1",
  model: "Model",
  saveServer: "Use this model",
  keyMissing: "Paste the key of this provider.",
  keyKept: "The key is kept on this computer and is never shown again.",

  taskTitle: "Start with a task",
  taskText: "Each of these fills in a message. Nothing starts before you send it.",
  demoTaskText:
    "The tour shows you the keys on four real requests. The others fill in a message; nothing starts before you send it.",
  takeTour: "Take the tour",
  ownTask: "Something else",

  tour: "Tour",
  tourTitle: "Tour of the demo",
  tourLines: {
    approve: "A request. Read it, then press `y` to approve: the file is written only then.",
    undo: "Press `y`, then `z` while it says that it starts: you have it back. Then `y` again.",
    reject: "This one you refuse: press `n`, write why, and `Enter`. The agent reads your reason.",
    hold: "High risk, it cannot be undone. A tap is not enough: hold `y` until it is done.",
    between: "The agent works; its next request comes by itself.",
    over: "That is all: agents ask here, you decide. `?` shows every key.",
  },
  tourBack: " Until it starts, `z` takes back what you approved last.",
  connectModel: "Connect a model",
  openFolder: "Open your folder",
  endTour: "End the tour",
};
