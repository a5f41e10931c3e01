import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { serverAddress } from "../../bootstrap";
import { AreaTabs } from "../../ui/controls/area-tabs";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { useFieldErrors } from "../../ui/hooks/use-error-text";
import { type Body, bodyOf, type Config, configAtom, previewPage, saveConfig, useChoices } from "./api";
import { Badges, ChoiceTab, ServerFacts } from "./choice-tab";
import { type EditorTab, isServed, PageEditor, useEditorTab } from "./editor";
import { GeneralTab } from "./general-tab";
import { LayoutTab } from "./layout-tab";
import { PreviewPane } from "./live-preview";

/** The tab with a field. */
const tabOf = (field: string): EditorTab => {
  if (field.startsWith("monitors")) return "services";
  if (field.startsWith("groups")) return "layout";
  return /^(agents|show)/.test(field) ? "agents" : "general";
};

function ConfigForm({ config, onSaved }: { config: Config; onSaved: () => Promise<unknown> }) {
  const errors = useFieldErrors();
  const saved = bodyOf(config);
  const [changes, setChanges] = useState<Partial<Body>>({});
  const page = {
    ...{ id: config.page_id ?? undefined, title: config.title, path: config.path },
    ...{ isFirst: true, isPublished: config.published },
  };
  const tabs = useEditorTab(page, "general");
  const { tab } = tabs;
  const draft = { ...saved, ...changes };
  const { monitors, agents, find } = useChoices(config);
  const change = (more: Partial<Body>) => setChanges((before) => ({ ...before, ...more }));
  const save = async () => {
    await saveConfig(draft);
    await onSaved();
    // Changes made during the call are still unsaved.
    setChanges((now) => (now === changes ? {} : now));
  };
  return (
    <PageEditor
      page={page}
      tabs={tabs}
      isDirty={JSON.stringify(draft) !== JSON.stringify(saved)}
      save={save}
      errors={errors}
      tabOf={tabOf}
      preview={<PreviewPane draft={draft} read={previewPage} />}
    >
      {tab === "general" && (
        <GeneralTab
          draft={draft}
          publicUrl={serverAddress() + config.path}
          published={config.published}
          isServed={isServed(page)}
          cssDropped={config.css_dropped}
          errorOf={errors.of}
          onChange={change}
        />
      )}
      {tab === "services" && (
        <>
          <ChoiceTab
            kind="services"
            choices={monitors}
            total={config.monitors_total}
            onSearch={find}
            chosen={draft.monitors}
            onChoose={(monitors) => change({ monitors })}
          />
          {config.published && <Badges published={config.monitors.filter(({ selected }) => selected)} />}
        </>
      )}
      {tab === "agents" && (
        <>
          <ChoiceTab
            kind="agents"
            choices={agents}
            total={config.agents_total}
            onSearch={find}
            chosen={draft.agents}
            onChoose={(agents) => change({ agents })}
          />
          {config.agents.length > 0 && <ServerFacts draft={draft} onChange={change} />}
        </>
      )}
      {tab === "layout" && (
        <LayoutTab draft={draft} choices={{ monitors, agents }} errorOf={errors.of} onChange={change} />
      )}
    </PageEditor>
  );
}

/** Loads what the page begins with. */
export const prepare = (): Promise<void> => configAtom.prepare();

/** The settings of the first page of the team, with its lists of services and servers. */
export default function ConfigPage() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(configAtom);
  if (data) return <ConfigForm config={data.config} onSaved={refresh} />;
  return (
    <>
      <AreaTabs />
      {error ? (
        <Failure title={t("status.loadFailed")} error={error} onRetry={() => void refresh()} />
      ) : (
        <div className="narrow">
          <Skeleton heights={["2.5rem", "2.5rem", "11rem", "20rem"]} />
        </div>
      )}
    </>
  );
}
