/** Signing in to an outer agent from here: a person chooses how, and the agent does it by itself. */
import type {
  AuthMethod,
  CreateElicitationRequest,
  CreateElicitationResponse,
} from "@agentclientprotocol/sdk";
import { mostChoices } from "../../../shared/contract/subjects.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import { askQuestion } from "./answer-elicitation.ts";
import { wantsSignIn } from "./protocol-error.ts";

/** Whoever asks the person while an agent wants somebody to sign in. */
export type SignIn = {
  /** It wants somebody to sign in, by one of these ways. @returns the id of one. @throws what ends the turn */
  onSignIn(ways: readonly AuthMethod[], why: string, withdrawn: AbortSignal): Promise<string>;
  /** Answers what it asks of a person by a form or an address; `withdrawn` aborts when the agent takes it back. */
  onElicitation(asked: CreateElicitationRequest, withdrawn: AbortSignal): Promise<CreateElicitationResponse>;
};

/** Of the agent's words on the card. */
const mostNameChars = 100;
const mostAboutChars = 400;
/** Each was chosen by a person, and did not do. */
const mostTries = 5;

/** The person does not sign in now. */
export class NotSignedIn extends TurnStopped {
  constructor(agent: string) {
    super("failed", `${agent} was not signed in, as you decided.`);
  }
}

/**
 * What needs somebody to be signed in, once somebody is.
 * @param authenticate signs in by the way of this id
 * @param gone aborts when nobody waits for it any more
 * @throws what `act` does, where it wants no sign-in or none can be had from here
 */
export async function whileSignedIn<T>(
  act: () => Promise<T>,
  ways: readonly AuthMethod[],
  signIn: SignIn | undefined,
  authenticate: (methodId: string, by: SignIn) => Promise<void>,
  gone: AbortSignal,
): Promise<T> {
  const offered = ways.filter(isDoneByAgent);
  let failed: string | undefined;
  for (let tries = 0; ; tries += 1)
    try {
      return await act();
    } catch (error) {
      if (!wantsSignIn(error) || signIn === undefined || offered.length === 0 || tries === mostTries)
        throw error;
      const chosen = await signIn.onSignIn(offered, failed ?? messageOf(error), gone);
      failed = await authenticate(chosen, signIn).then(() => undefined, messageOf);
    }
}

/** Whatever wants a key or a terminal of ours is for the program itself: none is given over the protocol. */
function isDoneByAgent(way: AuthMethod): boolean {
  const isAgents = !("type" in way) || (way.type as string) === "agent";
  return isAgents && !("api-key" in (way._meta ?? {})) && !("gateway" in (way._meta ?? {}));
}

/** Asks the person which way to sign in. No rule and no switch answers it. */
export function askToSignIn(parts: Parameters<typeof askQuestion>[0]): SignIn["onSignIn"] {
  const { drawing, agent } = parts;
  return async (ways, why, withdrawn) => {
    const named = ways.slice(0, mostChoices).map(({ id, name, description }, at) => {
      const about = description?.slice(0, mostAboutChars);
      // Two that read alike are no answers to press.
      const label = `${at + 1}. ${name.trim().slice(0, mostNameChars)}`;
      return { id, choice: { label, ...(about && { description: about }) } };
    });
    const question = `${agent} wants you to sign in (${shortenText(why, mostAboutChars)}). Which way? It does this by itself, and may open your browser for it.`;
    const choices = named.map(({ choice }) => choice);
    drawing.bounds.countQuestion(choices);
    const answer = await askQuestion(parts, { question, choices, only: true }, withdrawn);
    const chosen = named.find(({ choice }) => answer?.isError === false && choice.label === answer.text);
    if (chosen === undefined) throw new NotSignedIn(agent);
    return chosen.id;
  };
}
