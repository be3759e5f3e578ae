/** Opens an https address through the host, which asks the person first with the whole host name in view. */
import { showProblem, showToast } from "../ui/toast.tsx";
import { client } from "./client.ts";
import { useHost } from "./stores/host-store.ts";
import { strings } from "./strings.ts";
import { describeError } from "./words.ts";

/** Never throws. A host without a desktop opens nothing; then the address is shown, to be copied. */
export async function openLink(url: string): Promise<void> {
  try {
    const { opened } = await client().call("host.openLink", { url });
    if (!opened && useHost.getState().host?.mode === "browser") showToast(strings.openYourself, url);
  } catch (error) {
    showProblem(strings.failed, describeError(error));
  }
}
