/** Last step: the tour, or a sample task that fills the composer of a new thread. */
import { client, newCommandId } from "../../base/client.ts";
import { go } from "../../base/navigation.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { startAgent } from "../agents/list-parts.tsx";
import { StepHeading } from "./step-heading.tsx";
import { strings } from "./strings.ts";
import { useTour } from "./tour-store.ts";

type TaskStepProps = { folder: string; demo: boolean; onStarted: () => void };

export function TaskStep({ folder, demo, onStarted }: TaskStepProps) {
  async function start(draft?: string) {
    await startAgent({ workspace: folder, draft });
    onStarted();
  }
  async function tour() {
    if (await startTour(folder)) onStarted();
  }
  return (
    <>
      <StepHeading
        takeFocus
        title={strings.taskTitle}
        text={demo ? strings.demoTaskText : strings.taskText}
      />
      {demo && (
        <Button look="strong" className="self-start" onClick={() => void tour()}>
          {strings.takeTour}
        </Button>
      )}
      <ul className="grid max-w-[920px] grid-cols-3 gap-2 max-[640px]:grid-cols-1">
        {(demo ? demoTasks : modelTasks).map(({ title, text }) => (
          <li key={title}>
            <button
              type="button"
              onClick={() => void start(text)}
              className="h-full w-full rounded-md border border-line bg-raised px-3 py-2 text-left hover:bg-hover"
            >
              <span className="block font-medium">{title}</span>
              <span className={demo ? "code-text text-ink-2" : "text-sm text-ink-2"}>{text}</span>
            </button>
          </li>
        ))}
      </ul>
      <Button className="self-start" onClick={() => void start()}>
        {strings.ownTask}
      </Button>
    </>
  );
}

type SampleTask = { title: string; text: string };

/** Instruction lines for the scripted demo, each of which asks. */
const demoTasks: readonly SampleTask[] = [
  { title: "Run a command", text: "run touch hello.txt" },
  { title: "Write a file", text: "write notes.md hello" },
  { title: "Be asked a question", text: "ask What should I call it?" },
];

/** Plain requests for a real model. */
const modelTasks: readonly SampleTask[] = [
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

/** @returns whether it started; a failure was shown. */
async function startTour(workspace: string): Promise<boolean> {
  const started = await attempt(async () => {
    const thread = await client().call("threads.create", {
      commandId: newCommandId(),
      workspace,
      title: strings.tourTitle,
    });
    await client().call("threads.send", {
      commandId: newCommandId(),
      threadId: thread.id,
      text: "demo tour",
    });
    useThreads.getState().change([thread], []);
    useTour.setState({ threadId: thread.id });
    go({ view: "queue" });
    return true;
  });
  return started === true;
}
