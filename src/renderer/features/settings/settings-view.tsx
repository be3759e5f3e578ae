/** All settings: parts at the left, the chosen part or what the search found at the right. */

import { type ReactNode, Suspense, useState } from "react";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SearchField } from "../../ui/field.tsx";
import { SettingControl } from "./setting-controls.tsx";
import { type FoundSetting, findSettings, isSection, sectionIds } from "./setting-index.ts";
import { strings } from "./strings.ts";

export default function SettingsView({ id }: { id?: string }) {
  const [query, setQuery] = useState("");
  const searching = query.trim() !== "";
  const current = isSection(id) ? id : "appearance";
  const found = findSettings(query);
  const entries = searching ? found : found.filter((entry) => entry.section === current);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center justify-between gap-3 border-b border-line bg-surface px-4 py-2">
        <h1 className="text-xl font-semibold">{strings.title}</h1>
        <SearchField
          label={strings.search}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="w-64"
        />
      </header>
      <div className="flex min-h-0 flex-1 max-[560px]:flex-col">
        <nav
          aria-label={strings.sectionList}
          className="flex w-44 shrink-0 flex-col gap-0.5 overflow-y-auto border-r border-line p-2 max-[640px]:w-36 max-[560px]:w-auto max-[560px]:flex-row max-[560px]:flex-wrap max-[560px]:border-r-0 max-[560px]:border-b"
        >
          {sectionIds.map((section) => (
            <button
              key={section}
              type="button"
              aria-current={!searching && section === current ? "page" : undefined}
              onClick={() => {
                setQuery("");
                go({ view: "settings", id: section });
              }}
              className={cx(
                "rounded-md px-2 py-1 text-left text-ink-2 hover:bg-hover hover:text-ink",
                !searching && section === current && "bg-hover font-medium text-ink",
              )}
            >
              {strings.sections[section]}
            </button>
          ))}
        </nav>
        <div className="min-h-0 min-w-0 flex-1 overflow-y-auto px-5 py-2 max-[560px]:px-4">
          <div className="max-w-[760px]">
            {entries.length === 0 ? (
              <EmptyState
                title={strings.noMatch(query.trim())}
                action={<Button onClick={() => setQuery("")}>{strings.clearSearch}</Button>}
              />
            ) : (
              <Sections entries={entries} />
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

function Sections({ entries }: { entries: readonly FoundSetting[] }): ReactNode {
  return [...Map.groupBy(entries, (entry) => entry.section)].map(([section, list]) => (
    <section key={section} className="pb-4">
      <h2 className="border-b border-line pt-2 pb-1.5 text-lg font-semibold">{strings.sections[section]}</h2>
      {list.map(({ id }) => (
        <Suspense key={id} fallback={<p role="status">{common.loading}</p>}>
          <SettingControl id={id} />
        </Suspense>
      ))}
    </section>
  ));
}
