/** Which tools an agent has: all of them, or the chosen ones. */
import { Badge } from "../../ui/badge.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { Switch } from "../../ui/switch.tsx";
import type { KnownTool } from "./agent-draft.ts";
import { CheckList } from "./check-list.tsx";
import { strings } from "./strings.ts";

type ToolsFieldProps = {
  /** Absent means all. */
  value: readonly string[] | undefined;
  tools: readonly KnownTool[];
  onChange: (value: string[] | undefined) => void;
};

export function ToolsField({ value, tools, onChange }: ToolsFieldProps) {
  const names = tools.map((tool) => tool.name);
  const others = (value ?? []).filter((name) => !names.includes(name));
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Switch
          label={strings.chooseTools}
          checked={value !== undefined}
          onChange={(choose) => onChange(choose ? names : undefined)}
        />
        <p className="text-sm text-ink-2">{strings.chooseToolsHint}</p>
      </div>
      {value && (
        <CheckList
          label={strings.toolsTitle}
          entries={[
            ...tools.map(({ name, description, askedByDefault }) => ({
              id: name,
              label: name,
              hint: (
                <>
                  <ForeignText text={description} /> {askedByDefault && <Badge>{strings.asks}</Badge>}
                </>
              ),
            })),
            ...others.map((name) => ({ id: name, label: name })),
          ]}
          value={value}
          onChange={onChange}
        />
      )}
    </>
  );
}
