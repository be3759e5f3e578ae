/** Test double: everything the gate needs from the host, kept in memory, with a queue a test decides and a process it can kill. */
import type { Decision, Verdict } from "../../shared/contract/decisions.ts";
import type { ThreadEventData, Todo, ToolOutcome } from "../../shared/contract/thread-events.ts";
import type { ApprovalId, ExecutionId } from "../../shared/ids.ts";
import type { Answer, Decided, EarlierExecution, GatedCall, GatePorts, Route } from "./gate-ports.ts";

/** What the policy of a test says of a call. */
export type JudgedAs = "free" | "run" | "ask" | { refuse: string } | { reads: string };

/** A question in the queue, as a card would show it. */
type Question = {
  id: ApprovalId;
  key: string;
  kind: "tool" | "recovery" | "interrupt";
  call: GatedCall;
  value?: unknown;
  decision?: Decision;
  consumed: boolean;
};

type Execution = EarlierExecution & { key: string; args: Record<string, unknown> };

/** Where the process can be made to die: right after this step was made durable. */
export type DeathPoint = "startExecution" | "finishExecution";

const verdict: Verdict = { verdict: "new", units: [] };
const person = { kind: "person" as const };
const nothingShown = {
  baseHash: undefined,
  mayLeaveWorkspace: false,
  mayReachOwnNetwork: false,
  shownPath: undefined,
  toolDigest: undefined,
  mayChangeFiles: true,
};

export class GateDesk {
  readonly questions: Question[] = [];
  readonly executions: Execution[] = [];
  readonly events: ThreadEventData[] = [];
  readonly plans: Todo[][] = [];
  /** Ledger lines, one for each effect, refusal and answer. */
  readonly ledger: { tool: string; decision: Decision["type"]; by: string }[] = [];
  /** The calls the policy was asked about; each only once. */
  readonly judged: GatedCall[] = [];
  /** Sees the world as it is on disk when the process dies. */
  onDeath: () => void = () => {};
  /** How long the start of an execution takes to be on disk. */
  onDisk: Promise<void> = Promise.resolve();
  readonly #judge: (call: GatedCall) => JudgedAs;
  readonly #routes = new Map<string, Route>();
  readonly #seats = new Map<string, (how: "look" | "parked") => void>();
  readonly #watchers = new Set<() => void>();
  #dieAt: DeathPoint | undefined;
  #generation = 0;

  constructor(judge: (call: GatedCall) => JudgedAs) {
    this.#judge = judge;
  }

  get pending(): Question[] {
    return this.questions.filter((question) => !question.decision);
  }

  /** Resolves when the condition holds; looks again whenever something happened. */
  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = () => {
        if (!condition()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
    });
  }

  /** Decides the one pending question whose arguments or value mention the text. */
  decide(text: string, decision: Decision): void {
    const found = this.pending.filter(({ call, value }) => JSON.stringify([call.args, value]).includes(text));
    if (found.length !== 1)
      throw new Error(`${found.length} of ${this.pending.length} pending questions mention "${text}".`);
    found[0]!.decision = decision;
    this.#seats.get(found[0]!.key)?.("look");
    this.#notify();
  }

  /** Ends every waiting, so that the run comes to rest. */
  park(): void {
    for (const seat of [...this.#seats.values()]) seat("parked");
    this.#notify();
  }

  /** What a newly started process gets: the same rows; the ports of an earlier one are dead. */
  start(dieAt?: DeathPoint): GatePorts {
    this.#generation += 1;
    this.#dieAt = dieAt;
    return this.#portsOf(this.#generation);
  }

  /** From now on nothing the running process does reaches the rows. */
  die(): void {
    this.#generation += 1;
    this.onDeath();
  }

  #notify(): void {
    for (const look of [...this.#watchers]) look();
  }

  #portsOf(generation: number): GatePorts {
    const ports = this.#livePorts();
    return new Proxy(ports, {
      get: (target, name: keyof GatePorts) => {
        if (generation !== this.#generation) throw new Error("This process is dead.");
        const act = target[name] as (...args: unknown[]) => unknown;
        return (...args: unknown[]) => {
          const result = act(...args);
          this.#notify();
          if (this.#dieAt !== name) return result;
          this.die();
          throw new Error("The process died here.");
        };
      },
    });
  }

  #livePorts(): GatePorts {
    return {
      isUnwritable: () => false,
      record: (_threadId, events) => void this.events.push(...events),
      hasItem: (_threadId, itemId) =>
        this.events.some((event) => event.type === "toolCall.requested" && event.itemId === itemId),
      routeOf: async (call) => this.#routeOf(call),
      judgeAgain: async (call, args) => {
        const judged = this.#judge({ ...call, args });
        return {
          denied: typeof judged === "object" && "refuse" in judged ? judged.refuse : undefined,
          verdict,
        };
      },
      decidedOf: (call) => {
        const latest = this.#latest(call.key);
        return latest?.decision && !latest.consumed ? toDecided(latest, latest.decision) : undefined;
      },
      ask: (call, _route, signal) => this.#wait(call.key, "tool", call, signal),
      askRecovery: (call, executionId, signal) =>
        this.#wait(`${call.key}#recovery:${executionId}`, "recovery", call, signal),
      argsOf: (executionId) => this.#execution(executionId).args,
      earlierExecution: (call) => this.executions.findLast(({ key }) => key === call.key),
      startExecution: async (call, _route, { args, by, decided }) => {
        if (decided) this.#consume(decided);
        for (const one of this.executions)
          if (one.key === call.key && one.state === "started") one.state = "closed";
        const id = `execution-${this.executions.length + 1}` as ExecutionId;
        this.executions.push({ id, key: call.key, args, state: "started", outcome: null, result: null });
        const edited = JSON.stringify(args) !== JSON.stringify(call.args);
        this.ledger.push({ tool: call.tool, decision: edited ? "edit" : "approve", by: by.kind });
        this.#notify();
        await this.onDisk;
        return { executionId: id, args, ...nothingShown };
      },
      finishExecution: (call, executionId, { outcome, result, receipt }) => {
        Object.assign(this.#execution(executionId), { state: "finished", outcome, result });
        this.#finishItem(call, outcome, result, receipt);
      },
      suspendExecution: (_call, executionId) =>
        void Object.assign(this.#execution(executionId), { state: "suspended" }),
      continueExecution: (_call, executionId) => {
        const { args } = Object.assign(this.#execution(executionId), { state: "started" });
        return { executionId, args, ...nothingShown };
      },
      dropExecution: (_call, executionId, unused) => {
        this.executions.splice(this.executions.indexOf(this.#execution(executionId)), 1);
        const question = this.questions.find(({ id }) => id === unused?.approvalId);
        if (question) question.consumed = false;
      },
      closeExecution: (_call, executionId, { outcome, result }) =>
        void Object.assign(this.#execution(executionId), { state: "closed", outcome, result }),
      finishCall: (call, { outcome, result }) => {
        const { itemId } = call;
        const isOver = this.events.some(
          (event) => event.type === "toolCall.finished" && event.itemId === itemId,
        );
        if (!isOver) this.#finishItem(call, outcome, result);
      },
      settle: (call, _route, { decision, by, decided, outcome, result }) => {
        if (decided) this.#consume(decided);
        this.ledger.push({ tool: call.tool, decision: decision.type, by: by.kind });
        this.#finishItem(call, outcome, result);
      },
      answersOf: (call) =>
        this.questions
          .filter((question) => question.key === interruptKey(call))
          .flatMap(({ decision }) => (decision?.type === "respond" ? [decision.answer] : [])),
      askInterrupt: (call, { value }) => {
        const latest = this.#latest(interruptKey(call));
        if (!latest || latest.decision) this.#file(interruptKey(call), "interrupt", call, value);
      },
      planChanged: (_call, todos) => void this.plans.push(todos),
    };
  }

  #routeOf(call: GatedCall): Route {
    const known = this.#routes.get(call.key);
    if (known) return known;
    this.judged.push(call);
    const route = toRoute(this.#judge(call));
    this.#routes.set(call.key, route);
    return route;
  }

  #finishItem(call: GatedCall, outcome: ToolOutcome, result: string, receipt?: { executionId: ExecutionId }) {
    const receiptOf = receipt && { ...receipt, durationMs: 0 };
    this.events.push({ type: "toolCall.finished", itemId: call.itemId, outcome, result, receipt: receiptOf });
  }

  async #wait(key: string, kind: Question["kind"], call: GatedCall, signal: AbortSignal): Promise<Answer> {
    for (;;) {
      const latest = this.#latest(key);
      const row = latest && !latest.consumed ? latest : this.#file(key, kind, call);
      if (row.decision) return toDecided(row, row.decision);
      if ((await this.#sit(key, signal)) === "parked") return "parked";
    }
  }

  #sit(key: string, signal: AbortSignal): Promise<"look" | "parked"> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#seats.delete(key);
        reject(signal.reason);
      };
      const seat = (how: "look" | "parked") => {
        this.#seats.delete(key);
        signal.removeEventListener("abort", abort);
        resolve(how);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#seats.set(key, seat);
    });
  }

  #file(key: string, kind: Question["kind"], call: GatedCall, value?: unknown): Question {
    const id = `approval-${this.questions.length + 1}` as ApprovalId;
    const question: Question = { id, key, kind, call, value, consumed: false };
    this.questions.push(question);
    this.#notify();
    return question;
  }

  #latest(key: string): Question | undefined {
    return this.questions.findLast((question) => question.key === key);
  }

  #consume({ approvalId }: Decided): void {
    const question = this.questions.find(({ id }) => id === approvalId)!;
    if (question.consumed) throw new Error("This decision was used already.");
    question.consumed = true;
  }

  #execution(executionId: ExecutionId): Execution {
    return this.executions.find(({ id }) => id === executionId)!;
  }
}

const interruptKey = (call: GatedCall) => `${call.key}#interrupt`;

function toDecided(question: Question, decision: Decision): Decided {
  const { args } = question.call;
  return { approvalId: question.id, decision, by: person, args, verdict, baseHash: undefined };
}

function toRoute(judged: JudgedAs): Route {
  if (judged === "free") return { kind: "free" };
  if (judged === "run")
    return { kind: "run", verdict, by: { kind: "policy" }, cwd: "/project", face: undefined };
  if (typeof judged === "object" && "reads" in judged) return { kind: "free", readPath: judged.reads };
  if (typeof judged === "object") return { kind: "refuse", verdict, message: judged.refuse, cwd: "/project" };
  return {
    kind: "ask",
    verdict,
    risk: "medium",
    cwd: "/project",
    subject: { kind: "arguments" },
    shape: "",
    allowed: ["approve", "edit", "reject", "respond"],
    description: undefined,
    argsSchema: undefined,
    baseHash: undefined,
    face: undefined,
    always: false,
  };
}
