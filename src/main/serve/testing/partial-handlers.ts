/** Handlers for a test that only cares about a few of them. */
import { contract } from "../../../shared/contract/contract.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import type { Handlers } from "../../../shared/wire/serve-contract.ts";

/** What is not given answers `unavailable`. */
export function fillHandlers(given: Partial<Handlers>): Handlers {
  const refuse = () => {
    throw new ContractError("unavailable", "Not part of this test.");
  };
  const refusing = Object.fromEntries(Object.keys(contract).map((name) => [name, refuse]));
  return { ...(refusing as unknown as Handlers), ...given };
}
