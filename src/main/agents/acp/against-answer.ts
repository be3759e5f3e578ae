/** What an agent tells of a call that does not go with the answer it got: said in the thread, since nothing here holds it. */
import { aboutOuterCall, type OuterCall } from "../../../shared/contract/outer-agents.ts";
import { quote } from "../../../shared/foreign-words.ts";

/**
 * @param allowed the call as a person said yes to it; absent where nobody did
 * @param told the same call as the agent words it now
 * @returns a sentence where it did what nobody allowed, or something else than what was
 */
export function againstAnswer(
  allowed: OuterCall | undefined,
  told: OuterCall,
  isDone: boolean,
): string | undefined {
  const about = (call: OuterCall) => quote(aboutOuterCall(call));
  if (allowed === undefined)
    return isDone ? `${told.agent} says that it did this without your yes: ${about(told)}.` : undefined;
  return isSame(allowed, told)
    ? undefined
    : `You said yes to ${about(allowed)}, and ${told.agent} says now that this call is ${about(told)}.`;
}

/** By its command, else by its files: agents go on to word the rest of a call while they do it. */
function isSame(allowed: OuterCall, told: OuterCall): boolean {
  const [before, now] = [commandOf(allowed), commandOf(told)];
  if (before !== undefined && now !== undefined) return before === now;
  const shown = filesOf(allowed);
  return shown.length === 0 || filesOf(told).every((path) => shown.includes(path));
}

const nothing = { places: [], title: "" };
const commandOf = ({ input }: OuterCall) => aboutOuterCall({ ...nothing, input }) || undefined;
const filesOf = ({ places, changes }: OuterCall) => [...places, ...changes.map(({ path }) => path)];
