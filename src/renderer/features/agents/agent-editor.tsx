/** One agent opened: as a form or as its file, saved only when every field is valid. */
import { ArrowLeft } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Agent } from "../../../shared/contract/agents.ts";
import type { Output } from "../../../shared/contract/contract.ts";
import type { FieldProblem } from "../../../shared/contract/field-problem.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { describeAtField } from "../../base/field-problems.ts";
import { go } from "../../base/navigation.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { ProblemList } from "../../ui/problem-text.tsx";
import { showToast } from "../../ui/toast.tsx";
import {
  checkAgent,
  formatOpened,
  giveId,
  isOutdated,
  type Opened,
  setAgentDraft,
  startDraft,
  takenIds,
  useAgentDrafts,
} from "./agent-draft.ts";
import { AgentFile, readAgentFile, writeAgentFile } from "./agent-file.tsx";
import { AgentForm } from "./agent-form.tsx";
import { MissingAgent, OutdatedNote } from "./agent-notes.tsx";
import { strings } from "./strings.ts";
import { TabbedPane } from "./tabbed-pane.tsx";

type AgentEditorProps = { opened: Opened; known: Output<"agents.list">; onReload: () => void };

export function AgentEditor({ opened, known, onReload }: AgentEditorProps) {
  const key = formatOpened(opened);
  /** A version taken from the file starts a fresh editor, also when it is shown as a file. */
  const [taken, setTaken] = useState(0);
  const unsaved = useAgentDrafts((drafts) => drafts[key]);
  const stored = startDraft(opened, known.agents);
  const draft = unsaved?.agent ?? stored;
  if (!draft) return <MissingAgent opened={opened} problems={known.problems} />;
  const base = opened.kind === "agent" ? stored : undefined;
  return (
    <Editor
      key={taken}
      draft={draft}
      changed={unsaved !== undefined}
      known={known}
      notice={
        isOutdated(opened, unsaved, known.agents) && (
          <OutdatedNote
            onTake={
              stored &&
              (() => {
                setAgentDraft(key, undefined);
                setTaken(taken + 1);
              })
            }
            onKeep={() => setAgentDraft(key, { agent: draft, base })}
          />
        )
      }
      onChange={(agent) => setAgentDraft(key, agent && { agent, base: unsaved ? unsaved.base : base })}
      onSave={async (agent) => {
        const now = await client().call("agents.list", {});
        // What somebody else wrote meanwhile is shown first; the person says which of the two stays.
        if (isOutdated(opened, unsaved ?? { agent, base }, now.agents)) {
          setAgentDraft(key, { agent, base: unsaved ? unsaved.base : base });
          return onReload();
        }
        const saved = await client().call("agents.save", giveId(agent, takenIds(now)));
        setAgentDraft(key, undefined);
        showToast(strings.saved(saved.name));
        onReload();
        toList();
      }}
    />
  );
}

function toList(): void {
  go({ view: "agents" });
}

type EditorProps = {
  draft: Agent;
  changed: boolean;
  known: Output<"agents.list">;
  /** What has to be settled before saving. */
  notice: ReactNode;
  /** `undefined` goes back to what is stored. */
  onChange: (draft: Agent | undefined) => void;
  onSave: (agent: Agent) => Promise<void>;
};

function Editor({ draft, changed, known, notice, onChange, onSave }: EditorProps) {
  /** The file's text while it is shown; it may not be valid. */
  const [text, setText] = useState<string>();
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [busy, setBusy] = useState(false);

  const change = (next: Agent | undefined) => {
    setProblems([]);
    onChange(next);
  };
  function showTab(tab: "form" | "file") {
    if (tab === "file") return setText(writeAgentFile(draft));
    // A file that is wrong stays open: the form could not show it, and leaving would lose what was written.
    if (text !== undefined && text !== writeAgentFile(draft) && "problems" in readAgentFile(text, draft))
      return;
    setProblems([]);
    setText(undefined);
  }
  async function save() {
    const check = text === undefined ? checkAgent(draft) : readAgentFile(text, draft);
    if ("problems" in check) return setProblems(check.problems);
    setBusy(true);
    try {
      await onSave(check.agent);
    } catch (error) {
      setProblems([describeAtField(error)]);
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      <EditorHeader
        draft={draft}
        changed={changed}
        busy={busy || Boolean(notice)}
        onSave={() => void save()}
        onDiscard={() => {
          setText(undefined);
          change(undefined);
        }}
      />
      {draft.builtIn && <BuiltInNote agent={draft} />}
      {notice}
      {problems.length > 0 && (
        <div className="mx-5 mt-3">
          <ProblemList title={strings.refused} problems={problems} />
        </div>
      )}
      <TabbedPane
        label={strings.views}
        value={text === undefined ? "form" : "file"}
        onChange={showTab}
        panes={[
          {
            id: "form",
            label: strings.form,
            content: <AgentForm draft={draft} tools={known.tools} problems={problems} onChange={change} />,
          },
          {
            id: "file",
            label: strings.file,
            content: (
              <AgentFile
                text={text ?? ""}
                agent={draft}
                onText={(next) => {
                  setText(next);
                  setProblems([]);
                }}
                onAgent={change}
              />
            ),
          },
        ]}
      />
    </>
  );
}

type EditorHeaderProps = {
  draft: Agent;
  changed: boolean;
  busy: boolean;
  onSave: () => void;
  onDiscard: () => void;
};

function EditorHeader({ draft, changed, busy, onSave, onDiscard }: EditorHeaderProps) {
  return (
    <header className="flex flex-wrap items-center gap-2 bg-surface px-4 pt-2">
      <IconButton label={strings.back} onClick={toList}>
        <ArrowLeft />
      </IconButton>
      <h1 className="min-w-0 truncate text-xl font-semibold">{draft.name || strings.newTitle}</h1>
      {changed && <Badge tone="warn">{strings.draft}</Badge>}
      <span className="flex-1" />
      {!draft.builtIn && (
        <>
          {changed && <Button onClick={onDiscard}>{strings.discard}</Button>}
          <Button look="strong" disabled={busy} onClick={onSave}>
            {common.save}
          </Button>
        </>
      )}
    </header>
  );
}

function BuiltInNote({ agent }: { agent: Agent }) {
  return (
    <div className="flex flex-wrap items-center gap-3 bg-surface px-5 py-2 text-ink-2">
      <p>{strings.readOnly}</p>
      <Button small onClick={() => go({ view: "agents", id: formatOpened({ kind: "copy", id: agent.id }) })}>
        {strings.duplicateGo}
      </Button>
    </div>
  );
}
