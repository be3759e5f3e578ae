/** First tasks to try: instruction lines for the scripted demo, each of which asks, and plain requests for a real model. */
type SampleTask = { title: string; text: string };

export const demoTasks: readonly SampleTask[] = [
  { title: "Run a command", text: "run touch hello.txt" },
  { title: "Write a file", text: "write notes.md hello" },
  { title: "Be asked a question", text: "ask What should I call it?" },
];

export const modelTasks: readonly SampleTask[] = [
  {
    title: "Explain this folder",
    text: "Look around and tell me in a few sentences what this project is and how it is built.",
  },
  {
    title: "Run the tests",
    text: "Find out how the tests are run, run them, and tell me what fails and why.",
  },
  {
    title: "Write a readme",
    text: "Read the project and propose a short README.md. Show me the plan first.",
  },
];
