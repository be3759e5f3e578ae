/** What passes between the host and the thread in which commands are judged. */
import type { lookAtDisk } from "../policy/disk.ts";
import type { ShellContext } from "../policy/shell-context.ts";
import type { Judgements } from "./judging-worker.ts";

/** A context without the looks at the disk, which the thread takes itself. */
export type JudgingFacts = Omit<ShellContext, keyof ReturnType<typeof lookAtDisk>>;

export type Asked = { id: number; kind: keyof Judgements; facts: JudgingFacts; args: unknown[] };

/** `answer` is undefined when there is none. */
export type Answered = { id: number; answer: unknown };
