/** Starts the tour: a thread of the scripted demo whose requests come into the approvals, where the person is led. */
import { client, newCommandId } from "../../base/client.ts";
import { go } from "../../base/navigation.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { attempt } from "../../ui/attempt.ts";
import { strings } from "./strings.ts";
import { useTour } from "./tour-store.ts";

/** @returns whether it started; a failure was shown. */
export async function startTour(workspace: string): Promise<boolean> {
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
