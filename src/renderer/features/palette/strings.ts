/** The words of the palette. */
export const strings = {
  title: "Go to or do",
  field: "Go to or do",
  placeholder: "A command, a thread, a setting…",
  results: "Results",
  none: (query: string) => `Nothing is called “${query}”.`,
  kinds: { thisThread: "This thread", thread: "Thread", setting: "Setting" },
  actions: {
    palette: "Open the palette",
    goSettings: "Go to the settings",
    goAgents: "Go to the agents",
  },
  untitled: "Untitled",
};
