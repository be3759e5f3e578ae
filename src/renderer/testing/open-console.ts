/** Opens the whole console over a fake host for a component test, fresh each time. */
import "../styles/main.css";
import { onTestFinished } from "vitest";
import { startConsole } from "../app/start.tsx";
import { useApprovals } from "../base/stores/approvals-store.ts";
import { useConnection } from "../base/stores/connection-store.ts";
import { useDrafts, usePasted } from "../base/stores/drafts-store.ts";
import { usePalette } from "../base/stores/palette-store.ts";
import { useThreads } from "../base/stores/threads-store.ts";
import { useQueue } from "../features/approvals/queue-store.ts";
import { useUndo } from "../features/approvals/undo.ts";
import { useAutoApproveQuestion } from "../features/threads/auto-approve.ts";
import { useFolderChooser } from "../features/threads/create-thread.ts";
import { useSeats } from "../features/threads/seats-store.ts";
import { useThreadDialogs } from "../features/threads/thread-dialogs.tsx";
import { createFakeHost, type FakeHost } from "./fake-host.ts";

/** @param hash the address to open, such as `#/thread/t1`. It is taken down when the test ends. */
export function openConsole(
  ...[start, answers, hash = "#/queue"]: [...Parameters<typeof createFakeHost>, hash?: string]
): FakeHost {
  history.replaceState(null, "", hash);
  // What one test file leaves there, the next one would start with.
  localStorage.clear();
  useDrafts.setState({}, true);
  usePasted.setState({}, true);
  reset(useApprovals);
  reset(useConnection);
  reset(useQueue);
  reset(useSeats);
  reset(useThreads);
  reset(useUndo);
  // A dialog that a test leaves open keeps the next one from all that is below it.
  reset(useAutoApproveQuestion);
  reset(useFolderChooser);
  reset(usePalette);
  reset(useThreadDialogs);
  // The first press of a test would bring its frame to the front, and be guarded as any that does.
  window.focus();
  const host = createFakeHost(start, answers);
  const container = document.body.appendChild(document.createElement("div"));
  container.id = "root";
  const end = startConsole(host.client, container);
  onTestFinished(() => {
    host.end();
    end();
    container.remove();
  });
  return host;
}

function reset<T>(store: { getInitialState(): T; setState(state: T, replace: true): void }): void {
  store.setState(store.getInitialState(), true);
}
