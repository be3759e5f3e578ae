/** What a session lets be chosen (its mode, its model), and that it stays what a person chose. */
import type { SessionConfigOption, SessionModeState, SessionNotification } from "@agentclientprotocol/sdk";
import { type OuterOffer, outerOfferSchema } from "../../../shared/contract/outer-agents.ts";
import { quote } from "../../../shared/foreign-words.ts";
import { TurnStopped } from "../../gate/run-context.ts";

/** What an agent says of it when it opens a session. */
export type SessionState = {
  modes?: SessionModeState | null;
  configOptions?: SessionConfigOption[] | null;
};

/** By the agent's own names of options and values. */
export type Chosen = Readonly<Record<string, string>>;

/** Older agents have modes alone, under no name. */
const modeOption = "mode";
const mostOptions = 20;
const mostValues = 500;

type Option = { id: string; current: string; values: string[] };

function optionsOf({ modes, configOptions }: SessionState): Option[] {
  const options = (configOptions ?? []).slice(0, mostOptions).map(toOption);
  if (!modes || options.some(({ id }) => id === modeOption)) return options;
  const values = modes.availableModes.map(({ id }) => id);
  return [...options.slice(0, mostOptions - 1), { id: modeOption, current: modes.currentModeId, values }];
}

function toOption(option: SessionConfigOption): Option {
  if (option.type === "boolean")
    return { id: option.id, current: String(option.currentValue), values: ["true", "false"] };
  const values = option.options.flatMap((one) => ("options" in one ? one.options : [one]));
  return { id: option.id, current: option.currentValue, values: values.map(({ value }) => value) };
}

/** What can be chosen, as far as its names are such as a person could tell apart. */
export function offersOf(state: SessionState): OuterOffer[] {
  return optionsOf(state).flatMap(({ id, values }) => {
    const fit = values.filter((value) => outerOfferSchema.shape.values.safeParse([value]).success);
    const offer = outerOfferSchema.safeParse({ id, values: fit.slice(0, mostValues) });
    return offer.success ? [offer.data] : [];
  });
}

/** How the agent is told of one choice. @returns what it says of the session then, where it says it */
export type Tell = (option: {
  id: string;
  value: string | boolean;
  isMode: boolean;
}) => Promise<SessionState>;

/**
 * Makes the session what was chosen, and looks whether it is.
 * @returns what the session is then
 * @throws TurnStopped where it is not offered, or was not taken
 */
export async function choose(opened: SessionState, chosen: Chosen, tell: Tell): Promise<SessionState> {
  let state = opened;
  for (const [id, value] of Object.entries(chosen)) {
    const option = optionsOf(state).find((one) => one.id === id);
    if (!option?.values.includes(value)) throw notOffered(id, value, option);
    if (option.current === value) continue;
    const config = state.configOptions?.find((one) => one.id === id);
    const given = config?.type === "boolean" ? value === "true" : value;
    const answer = await tell({ id, value: given, isMode: config === undefined });
    // Whoever has modes alone says nothing of the new one but in an update, which is heard as any other.
    const modes = config === undefined ? { modes: { ...state.modes!, currentModeId: value } } : {};
    state = { ...state, ...modes, ...answer };
  }
  const left = leftIn(state, chosen);
  if (left !== undefined) throw new TurnStopped("failed", left);
  return state;
}

/** @returns in a sentence, what of the choice does not hold any more after what the agent told */
export function leftBy(told: SessionNotification["update"], chosen: Chosen): string | undefined {
  const state = stateIn(told);
  return state && leftIn(state, chosen);
}

/** The mode that the agent tells of, in which it decides what it asks about. */
export function modeIn(told: SessionNotification["update"]): string | undefined {
  const state = stateIn(told);
  return state && modeOf(state);
}

/** The mode of a session, where it has one. */
export function modeOf(state: SessionState): string | undefined {
  return optionsOf(state).find(({ id }) => id === modeOption)?.current;
}

function stateIn(told: SessionNotification["update"]): SessionState | undefined {
  if (told.sessionUpdate === "config_option_update") return told;
  if (told.sessionUpdate !== "current_mode_update") return undefined;
  return { modes: { currentModeId: told.currentModeId, availableModes: [] } };
}

function leftIn(state: SessionState, chosen: Chosen): string | undefined {
  const left = optionsOf(state).find(({ id, current }) => chosen[id] !== undefined && chosen[id] !== current);
  return (
    left &&
    `Of its ${left.id} you chose ${chosen[left.id]} for this agent, and it works with ${quote(left.current)}. So it was ended; your next message starts it anew.`
  );
}

const mostNamed = 20;

function notOffered(id: string, value: string, option: Option | undefined): TurnStopped {
  const names = option?.values.slice(0, mostNamed).map(quote).join(", ");
  const offer = names === undefined ? `it has no ${id} to choose` : `it offers ${names}`;
  return new TurnStopped(
    "failed",
    `Of its ${id} you chose ${value} for this agent, but ${offer}. Change it in Agents → Other programs.`,
  );
}
