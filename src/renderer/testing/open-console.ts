/** Opens the whole console over a fake host for a component test, fresh each time. */
import "../styles/main.css";
import { onTestFinished } from "vitest";
import { startConsole } from "../app/start.tsx";
import { createFakeHost, type FakeHost } from "./fake-host.ts";
import { startStoresAnew } from "./stores-anew.ts";

/** @param hash the address to open, such as `#/thread/t1`. It is taken down when the test ends, with all that the page knew. */
export function openConsole(
  ...[start, answers, hash = "#/queue"]: [...Parameters<typeof createFakeHost>, hash?: string]
): FakeHost {
  history.replaceState(null, "", hash);
  // What one test file leaves there, the next one would start with.
  localStorage.clear();
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
    startStoresAnew();
  });
  return host;
}
