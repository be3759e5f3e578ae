/** Says which agent and model the next message goes to, and changes both by one list that is searched by keyboard. */
import { ChevronDown } from "lucide-react";
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from "react";
import type { ThreadSummary } from "../../../../shared/contract/threads.ts";
import { wordsOfActing } from "../../../base/acting-words.ts";
import { client } from "../../../base/client.ts";
import { go } from "../../../base/navigation.ts";
import { describeError, isDemo } from "../../../base/words.ts";
import { Button } from "../../../ui/button.tsx";
import { ForeignText } from "../../../ui/foreign-text.tsx";
import { Popover } from "../../../ui/popover.tsx";
import { ProblemText } from "../../../ui/problem-text.tsx";
import { spellOut } from "../../../ui/reveal-characters.ts";
import { type ChoiceProblems, type ModelChoice, readChoice } from "../../models/model-choice.ts";
import { ModelPicker } from "../../models/model-picker.tsx";
import { loadProviders, useProviders } from "../../models/providers-store.ts";
import { strings } from "../strings.ts";
import { loadAgents, nameAgent, useAgents, useChangedThread } from "./agents-store.ts";
import { messageField } from "./focus-message-field.ts";
import type { PartnerChoice } from "./partner-choices.ts";
import { PartnerList } from "./partner-list.tsx";

export function PartnerSelect({ thread }: { thread: ThreadSummary }) {
  const agents = useAgents((state) => state.agents);
  useEffect(() => {
    if (!useAgents.getState().agents) void loadAgents();
  }, []);
  if (thread.actsItself) return <Acting {...thread.actsItself} />;
  const agent = nameAgent(thread.agentId, agents);
  const model = isDemo(thread.model) ? strings.demoModel : thread.model.model;
  const name = strings.partner.is(spellOut(agent), spellOut(model));
  const words = <Names agent={agent} model={model} />;
  if (thread.can.chooseAgent || thread.can.chooseModel)
    return (
      <PartnerPopover
        thread={thread}
        trigger={
          <Button
            data-partner-select
            look="quiet"
            aria-label={name}
            title={name}
            className="max-w-[60%] min-w-0 max-[400px]:max-w-[calc(100%-36px)] shrink! font-normal [&_svg]:size-3.5"
          >
            {words}
            <ChevronDown aria-hidden className="shrink-0 text-ink-3" />
          </Button>
        }
      />
    );
  return (
    <p title={name} className="flex min-w-0 px-2 text-sm text-ink-2">
      {words}
    </p>
  );
}

/** Its model is its own matter; what is known is that it acts itself. */
function Acting(acting: NonNullable<ThreadSummary["actsItself"]>) {
  return (
    <p data-level={acting.level} className="min-w-0 px-2 text-sm text-ink-2 [overflow-wrap:anywhere]">
      <ForeignText text={acting.agent} /> · <ForeignText text={wordsOfActing(acting)} />
    </p>
  );
}

function Names({ agent, model }: { agent: string; model: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="max-w-40 min-w-0 truncate">
        <ForeignText text={agent} />
      </span>
      <span aria-hidden className="text-ink-3">
        ·
      </span>
      <span className="max-w-44 min-w-0 truncate">
        <ForeignText text={model} />
      </span>
    </span>
  );
}

type PartnerPopoverProps = { thread: ThreadSummary; trigger: ReactElement };

/** The list of partners, or the form of a model, over the trigger. */
function PartnerPopover({ thread, trigger }: PartnerPopoverProps) {
  const [open, setOpen] = useState(false);
  const [form, setForm] = useState<ModelChoice>();
  const [refused, setRefused] = useState<string>();
  const chose = useRef(false);

  function change(next: boolean) {
    if (next) {
      // Agents, keys and addresses may have been set since: what is there stays until the answer comes.
      void loadAgents();
      void loadProviders();
      setForm(undefined);
      setRefused(undefined);
      chose.current = false;
    }
    setOpen(next);
  }
  function done() {
    chose.current = true;
    useChangedThread.setState({ threadId: thread.id });
    setOpen(false);
  }
  async function choose({ does, current }: PartnerChoice) {
    if (does.set === "form") return setForm(does.from);
    try {
      const threadId = thread.id;
      if (current) setOpen(false);
      else if (does.set === "agent") await client().call("threads.setAgent", { threadId, agentId: does.id });
      else await client().call("threads.setModel", { threadId, model: does.model });
      if (!current) done();
    } catch (error) {
      setRefused(describeError(error));
    }
  }
  return (
    <Popover
      label={strings.partner.choose}
      open={open}
      onOpenChange={change}
      wide
      // Who chose writes on; who only looked is back where they came from.
      finalFocus={() => (chose.current ? (messageField() ?? true) : true)}
      trigger={trigger}
    >
      {form ? (
        <ModelForm thread={thread} from={form} onDone={done} />
      ) : (
        <PartnerList thread={thread} onChoose={(choice) => void choose(choice)} />
      )}
      {refused && <ProblemText className="mt-2 text-sm" problem={refused} />}
    </Popover>
  );
}

type ModelFormProps = { thread: ThreadSummary; from: ModelChoice; onDone: () => void };

/** The form for a model that no list has: any id, at any provider or server. */
function ModelForm({ thread, from, onDone }: ModelFormProps) {
  const [choice, setChoice] = useState<ModelChoice>(from);
  const [problems, setProblems] = useState<ChoiceProblems>({});
  const [refused, setRefused] = useState<string>();
  const provider = useProviders((state) => state.providers?.find((one) => one.id === choice.provider));

  async function use(event: FormEvent) {
    event.preventDefault();
    const read = readChoice(choice, provider);
    if ("problems" in read) return setProblems(read.problems);
    try {
      await client().call("threads.setModel", { threadId: thread.id, model: read.model });
      onDone();
    } catch (error) {
      setRefused(describeError(error));
    }
  }
  return (
    <form onSubmit={(event) => void use(event)} className="flex flex-col gap-3">
      <ModelPicker
        value={choice}
        problems={problems}
        onChange={(next) => {
          setChoice(next);
          setProblems({});
          setRefused(undefined);
        }}
      />
      {provider?.needsKey && !provider.hasKey && (
        <p className="text-sm text-ink-2">
          {strings.keyMissing(provider.label)}{" "}
          <button
            type="button"
            onClick={() => go({ view: "settings", id: "models" })}
            className="min-h-6 rounded-sm underline"
          >
            {strings.toKeys}
          </button>
        </p>
      )}
      {refused && <ProblemText className="text-sm" problem={refused} />}
      <div className="flex items-center justify-between gap-2">
        <span className="text-sm text-ink-3">{strings.partner.from}</span>
        <Button type="submit" look="strong">
          {strings.useModel}
        </Button>
      </div>
    </form>
  );
}
