/** What the host knows of model providers; read when something first shows it, and after every change. */
import { create } from "zustand";
import type { ModelRef, Provider } from "../../../shared/contract/models.ts";
import { client } from "../../base/client.ts";
import { describeError } from "../../base/words.ts";

type Providers = { providers?: readonly Provider[]; defaultModel?: ModelRef; problem?: string };

export const useProviders = create<Providers>(() => ({}));

/** Never throws: what went wrong stands in the store's `problem`. */
export async function loadProviders(): Promise<void> {
  try {
    useProviders.setState({ ...(await client().call("models.providers", {})), problem: undefined });
  } catch (error) {
    useProviders.setState({ problem: describeError(error) });
  }
}
