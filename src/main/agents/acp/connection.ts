/** The one place that speaks the protocol, version 1: shakes hands, opens a session, sends prompts, hands on what is asked. */
import { resolve } from "node:path";
import { setImmediate as allHaveActed } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  type AgentCapabilities,
  type AnyMessage,
  type AuthMethod,
  type ClientContext,
  type ContentBlock,
  type CreateElicitationRequest,
  client,
  type InitializeResponse,
  type McpServer,
  methods,
  type NewSessionResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type Stream,
} from "@agentclientprotocol/sdk";
import type { OuterOffer } from "../../../shared/contract/outer-agents.ts";
import type { Attachment } from "../../../shared/contract/threads.ts";
import { messageOf } from "../../../shared/message-of.ts";
import type { AgentProcess } from "./agent-process.ts";
import { wantsSignIn } from "./protocol-error.ts";
import { type Chosen, choose, modeOf, offersOf, type SessionState, type Tell } from "./session-options.ts";
import { type SignIn, whileSignedIn } from "./sign-in.ts";
import { keepWhole } from "./whole-call.ts";

/** One message; a card that is larger can be shown to nobody. */
const mostMessageBytes = 4 * 1024 * 1024;

export type Heard = SignIn & {
  /** Answers one request; `withdrawn` aborts when the agent takes it back. */
  onRequest(asked: RequestPermissionRequest, withdrawn: AbortSignal): Promise<RequestPermissionResponse>;
  onUpdate(told: SessionNotification["update"]): void;
};

/** What the session is given besides its folder. */
export type Given = {
  mcpServers: McpServer[];
  meta?: Record<string, unknown> | undefined;
  /** What it is made, before anything is asked of it. */
  chosen?: Chosen | undefined;
  /** Who is asked where somebody has to sign in first. */
  signIn?: SignIn | undefined;
};

export type OpenSession = {
  sessionId: string;
  /** Whether it knows what was said in the session that it was to go on with. */
  remembers: boolean;
  /** Whether another process of the agent can go on with it. */
  isKept: boolean;
  /** What the program calls itself and its own version, and the mode in which it decides what it asks about. */
  program: string | undefined;
  version: string | undefined;
  mode: string | undefined;
  /** What of it can be chosen. */
  offers: OuterOffer[];
};

/** All are words of the agent. */
const mostNameChars = 100;

export type AgentLink = {
  /** Nothing can be said any more. */
  isClosed(): boolean;
  /** Why it was closed from here: what the agent said is no protocol. */
  fault(): string | undefined;
  /** @param earlier the session to go on with, where the agent can. @throws what the agent answers, or that it ended. */
  open(cwd: string, earlier: string | undefined, given: Given): Promise<OpenSession>;
  /** @returns why it stopped, in the words of the protocol. @throws as `open` does */
  prompt(sessionId: string, text: string, attachments: readonly Attachment[]): Promise<string>;
  /** Asks it to stop what it does; what is open is for the caller to answer. Never rejects. */
  cancel(sessionId: string): Promise<void>;
};

/**
 * @param heard who listens; nobody between two prompts.
 * @param atRest hears what the agent tells then.
 * @returns a link on which nothing was said yet.
 */
export function linkTo(
  process: AgentProcess,
  heard: () => Heard | undefined,
  atRest: Heard["onUpdate"],
): AgentLink {
  const { sessionIs, session } = onlySession();
  let folder = "";
  let fault: string | undefined;
  let ways: readonly AuthMethod[] = [];
  const signingIn = createSigningIn(() => connection.agent);
  const connection = client({ name: "countersign" })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      const listener = heard();
      // Whoever asks for another session, or while nobody told it to work, gets no yes.
      if (!sessionIs(params.sessionId) || listener === undefined)
        return { outcome: { outcome: "cancelled" } };
      return listener.onRequest(params, signal);
    })
    .onRequest(methods.client.elicitation.create, hearElicitation(heard, sessionIs, signingIn.by))
    .onNotification(methods.client.session.update, ({ params }) => {
      if (sessionIs(params.sessionId)) (heard()?.onUpdate ?? atRest)(params.update);
    })
    .connect(
      oneByOne(ndJsonStream(process.input, process.output, { maxMessageBytes: mostMessageBytes }), (why) => {
        fault = why;
      }),
    );
  const { agent } = connection;

  return {
    isClosed: () => connection.signal.aborted,
    fault: () => fault,
    async open(cwd, earlier, { mcpServers, meta, chosen = {}, signIn }) {
      const { agentCapabilities: can, agentInfo, authMethods } = await shakeHands(agent);
      ways = authMethods ?? [];
      folder = cwd;
      const place: Place = { cwd, mcpServers, ...(meta && { _meta: meta }) };
      const isKept = can?.loadSession === true || Boolean(can?.sessionCapabilities?.resume);
      const { known, opened } = await whileSignedIn(
        async () => {
          const known = earlier === undefined ? undefined : await goOn(connection, earlier, place, can);
          const opened: SessionState & { sessionId: string } =
            earlier !== undefined && known !== undefined
              ? { ...known, sessionId: earlier }
              : await agent.request<NewSessionResponse>(methods.agent.session.new, place);
          return { known, opened };
        },
        ways,
        signIn,
        signingIn.authenticate,
        connection.signal,
      );
      const { sessionId } = opened;
      if (typeof sessionId !== "string" || sessionId === "") throw new Error("it opened no session");
      const state = await choose(opened, chosen, tellTo(agent, sessionId));
      return session({
        sessionId,
        remembers: earlier === undefined || known !== undefined,
        isKept,
        program: agentInfo?.name?.slice(0, mostNameChars),
        version: agentInfo?.version?.slice(0, mostNameChars),
        mode: modeOf(state)?.slice(0, mostNameChars),
        offers: offersOf(state),
      });
    },
    async prompt(sessionId, text, attachments) {
      process.allowMore();
      const prompt: ContentBlock[] = [
        { type: "text", text },
        ...attachments.map((one) => toBlock(one, folder)),
      ];
      const ask = () => agent.request(methods.agent.session.prompt, { sessionId, prompt });
      return (await whileSignedIn(ask, ways, heard(), signingIn.authenticate, connection.signal)).stopReason;
    },
    cancel: (sessionId) => agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => undefined),
  };
}

/**
 * Hands on what the agent says one by one, each when all have acted on the one before. The package hands a message from one
 * listener to the next, each a moment later: so a question that came in one piece with what was told before it would be
 * heard first, and its card be taken back for the older words that follow.
 *
 * Two requests that are open under one id close the link: the answer to one would be taken for that to the other.
 * @param onFault hears why nothing more that the agent says can be heard
 */
function oneByOne({ readable, writable }: Stream, onFault: (why: string) => void): Stream {
  const open = new Set<unknown>();
  async function* inOrder(): AsyncGenerator<AnyMessage> {
    try {
      for await (const message of readable as unknown as AsyncIterable<AnyMessage>) {
        if ("method" in message && "id" in message) {
          if (open.has(message.id)) throw new Error("it asked two things at once under one id");
          open.add(message.id);
        }
        yield keepWhole(message);
        await allHaveActed();
      }
    } catch (error) {
      onFault(messageOf(error));
      throw error;
    }
  }
  const answers = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if (!("method" in message)) open.delete(message.id);
      controller.enqueue(message);
    },
  });
  void answers.readable.pipeTo(writable).catch(() => undefined);
  return { readable: ReadableStream.from(inOrder()), writable: answers.writable };
}

/** What the agent says of itself before there is a session. @throws where nothing else that it says could be understood */
async function shakeHands(agent: ClientContext): Promise<InitializeResponse> {
  const shaken = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: "countersign", title: "Countersign", version: "1" },
    // No files and no terminals of ours: those would be effects past the gate.
    clientCapabilities: { elicitation: { form: {}, url: {} } },
  });
  if (shaken.protocolVersion !== PROTOCOL_VERSION)
    throw new Error(
      `it speaks version ${shaken.protocolVersion} of the protocol, and not ${PROTOCOL_VERSION}`,
    );
  return shaken;
}

/** Signs in to the agent. While it does so, `by` hears what is asked for no session. */
function createSigningIn(agent: () => ClientContext) {
  let by: SignIn | undefined;
  return {
    by: () => by,
    async authenticate(methodId: string, signIn: SignIn): Promise<void> {
      by = signIn;
      try {
        await agent().request(methods.agent.authenticate, { methodId });
      } finally {
        by = undefined;
      }
    },
  };
}

type Place = { cwd: string; mcpServers: McpServer[]; _meta?: Record<string, unknown> };

/** What the agent answers where it opened the earlier session. Some keep none whose first turn was cut off, and say so as an error. */
async function goOn(
  { agent, signal }: { agent: ClientContext; signal: AbortSignal },
  sessionId: string,
  place: Place,
  can: AgentCapabilities | undefined,
): Promise<SessionState | undefined> {
  const { resume, load } = methods.agent.session;
  try {
    if (can?.sessionCapabilities?.resume)
      return await agent.request<SessionState>(resume, { ...place, sessionId });
    // What it replays is in the thread already: until it has answered, nothing that it tells is heard.
    if (can?.loadSession === true) return await agent.request<SessionState>(load, { ...place, sessionId });
    return undefined;
  } catch (error) {
    if (signal.aborted || wantsSignIn(error)) throw error;
    return undefined;
  }
}

/**
 * As a permission is: whoever asks for another session, or while nobody told it to work, gets no answer of a person. What is
 * asked for no session belongs to signing in.
 */
function hearElicitation(
  heard: () => Heard | undefined,
  sessionIs: (sessionId: string) => boolean,
  signingIn: () => SignIn | undefined,
) {
  return ({ params, signal }: { params: CreateElicitationRequest; signal: AbortSignal }) => {
    const isOfSession = "sessionId" in params;
    const listener = isOfSession ? heard() : signingIn();
    const isOurs = !isOfSession || sessionIs(String(params.sessionId));
    return isOurs && listener ? listener.onElicitation(params, signal) : { action: "cancel" as const };
  };
}

/** Tells the agent what its session is to be. */
function tellTo(agent: ClientContext, sessionId: string): Tell {
  const { setMode, setConfigOption } = methods.agent.session;
  return async ({ id, value, isMode }) => {
    if (isMode) {
      await agent.request(setMode, { sessionId, modeId: String(value) });
      return {};
    }
    const typed = typeof value === "boolean" ? ({ type: "boolean", value } as const) : { value };
    return agent.request(setConfigOption, { sessionId, configId: id, ...typed });
  };
}

/** The session that is open; before there is one nothing that the agent tells belongs to it. */
function onlySession() {
  let open: string | undefined;
  return {
    sessionIs: (sessionId: string) => sessionId === open,
    session(opened: OpenSession): OpenSession {
      open = opened.sessionId;
      return opened;
    },
  };
}

function toBlock(attachment: Attachment, cwd: string): ContentBlock {
  if (attachment.kind === "image")
    return { type: "image", mimeType: attachment.mediaType, data: attachment.base64 };
  const { path } = attachment;
  return { type: "resource_link", uri: pathToFileURL(resolve(cwd, path)).href, name: path };
}
