/** What is compared: a program that keeps sessions with an agent and asks its client before a command runs. */

/** One request that reached the client. */
export type Asked = {
  /** `performance.now()` when the client had it. */
  at: number;
  /** The step it is about, as its command says. */
  step: string;
  allow(): void;
};

export type Session = {
  /** Sends a message and resolves when the turn is over. */
  prompt(text: string, onAsked: (asked: Asked) => void): Promise<void>;
};

export type Running = {
  pid: number;
  /** Milliseconds from its spawn to its first answer. */
  readyMs: number;
  open(): Promise<Session>;
  stop(): Promise<void>;
};

export type Place = {
  /** Where it keeps everything. */
  home: string;
  workspace: string;
  /** The address of the scripted model. */
  model: string;
  /** Ends it when it aborts, whatever it waits for. */
  signal: AbortSignal;
};

export type Side = {
  name: string;
  version: string;
  /** Why it cannot be measured here; absent where it can. */
  missing?: string;
  /** How its model asks for a command. */
  command(line: string): { tool: string; args: Record<string, unknown> };
  start(place: Place): Promise<Running>;
};

/** The step that a request is about: each command says it, and every client is shown the command. */
export const stepIn = (request: unknown): string => /began ([\w.]+)/.exec(JSON.stringify(request))?.[1] ?? "";
