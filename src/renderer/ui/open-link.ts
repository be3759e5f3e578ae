/** Opens an https address through the host, which asks the person first with the whole host name in view. */

import { client } from "../base/client.ts";
import { useHost } from "../base/stores/host-store.ts";
import { strings } from "../base/strings.ts";
import { attempt } from "./attempt.ts";
import { showToast } from "./toast.tsx";

/** Never throws. A host without a desktop opens nothing; then the address is shown, to be copied. */
export async function openLink(url: string): Promise<void> {
  await attempt(async () => {
    const { opened } = await client().call("host.openLink", { url });
    if (!opened && useHost.getState().host?.mode === "browser") showToast(strings.openYourself, url);
  });
}
