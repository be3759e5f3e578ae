/** What the thread's folder and the person's own files tell its agent, each read only while it is trusted. */
import type { Output } from "../../../shared/contract/contract.ts";
import { client } from "../../base/client.ts";
import { go } from "../../base/navigation.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { useReading, useReloadOnReturn } from "../../base/use-reading.ts";
import { formatBytes } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { useConversation } from "../conversation/conversation-context.ts";
import { Nothing, Section, SectionProblem } from "./section.tsx";
import { strings } from "./strings.ts";

type Context = Output<"agents.context">;

export function ContextSection() {
  const { threadId } = useConversation();
  // An agent reads the folder when a turn begins, so that is when the list has to be right.
  const status = useThreads((state) => state.byId.get(threadId)?.status);
  const { value, problem, reload } = useReading(`${threadId}:${status}`, () =>
    client().call("agents.context", { threadId }),
  );
  useReloadOnReturn(reload);
  return (
    <Section name="context" title={strings.context} remark={value && remarkOf(value)} initially={false}>
      {problem && <SectionProblem lead={strings.contextFailed} problem={problem} onAgain={reload} />}
      {!problem && !value && <Nothing>{strings.reading}</Nothing>}
      {value && <Found context={value} />}
    </Section>
  );
}

function Found({ context }: { context: Context }) {
  const { trusted, files, sizes, skills, own } = context;
  const nothing = files.length + skills.length === 0;
  return (
    <div className="flex flex-col items-start gap-2 text-sm">
      <p className={trusted ? "text-ink-2" : "text-warn"}>
        {nothing ? strings.contextEmpty : trusted ? strings.contextRead : strings.contextUnread}
      </p>
      <Paths label={strings.memory} paths={files} sizes={sizes} />
      <Paths label={strings.skills} paths={skills} />
      {own && (
        <>
          <p className={ownStands(own) === "ownRead" ? "text-ink-2" : "text-warn"}>
            {strings[ownStands(own)]}
          </p>
          <Paths label={strings.own} paths={own.files.map((file) => `~/${file}`)} sizes={own.sizes} />
        </>
      )}
      <Button small onClick={() => go({ view: "settings", id: "workspaces" })}>
        {strings.trustGo}
      </Button>
    </div>
  );
}

type PathsProps = { label: string; paths: readonly string[]; sizes?: readonly number[] };

function Paths({ label, paths, sizes = [] }: PathsProps) {
  if (paths.length === 0) return null;
  return (
    <div>
      <h3 className="text-xs text-ink-3">{label}</h3>
      <ul aria-label={label}>
        {paths.map((path, at) => (
          <li key={path}>
            <ExactText text={path} />
            {sizes[at] !== undefined && (
              <span className="text-xs text-ink-3"> · {formatBytes(sizes[at])}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function ownStands({ trusted, changed }: NonNullable<Context["own"]>) {
  if (!trusted) return "ownUnread";
  return changed.length > 0 ? "ownChanged" : "ownRead";
}

function remarkOf({ trusted, files, skills }: Context) {
  return trusted ? files.length + skills.length || undefined : strings.untrusted;
}
