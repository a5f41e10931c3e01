import { useAtom } from "jotai";
import { type FormEvent, useEffect, useRef, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "wouter";
import { CallError } from "../../api";
import { serverAddress } from "../../bootstrap";
import { focusFirstWrong } from "../../lib/form";
import { base } from "../../lib/navigation/base-path";
import { paths } from "../../paths";
import { AreaTabs } from "../../ui/controls/area-tabs";
import { Icon } from "../../ui/controls/icon";
import { Tabs } from "../../ui/controls/tabs";
import { Badge } from "../../ui/feedback/badge";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { toast } from "../../ui/feedback/toast";
import { useUnsaved } from "../../ui/feedback/unsaved";
import { useFailureText, useFieldErrors } from "../../ui/hooks/use-error-text";
import { ChangesDisclosure } from "../changes/disclosure";
import { type Body, bodyOf, type Config, configAtom, previewPage, saveConfig, useChoices } from "./api";
import { Badges, ChoiceTab, ServerFacts } from "./choice-tab";
import { GeneralTab } from "./general-tab";
import { LayoutTab } from "./layout-tab";
import { PreviewPane } from "./live-preview";

const tabs = ["general", "services", "agents", "layout"] as const;
type Tab = (typeof tabs)[number];

/** The tab with the field that the server refuses. */
const tabOf = (failure: unknown): Tab | undefined => {
  const [field] = failure instanceof CallError ? failure.fields : [];
  if (!field) return undefined;
  if (field.path.startsWith("monitors")) return "services";
  if (field.path.startsWith("groups")) return "layout";
  return /^(agents|show)/.test(field.path) ? "agents" : "general";
};

function ConfigForm({ config, onSaved }: { config: Config; onSaved: () => Promise<unknown> }) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const fields = useFieldErrors();
  const saved = bodyOf(config);
  const [changes, setChanges] = useState<Partial<Body>>({});
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find((one) => one === search.get("tab")) ?? "general";
  const setTab = (next: Tab) => setSearch(next === "general" ? {} : { tab: next }, { replace: true });
  const [busy, start] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  // A refused field gets the focus.
  useEffect(() => {
    if (refusals > 0 && form.current) focusFirstWrong(form.current);
  }, [refusals]);
  const draft = { ...saved, ...changes };
  const dirty = JSON.stringify(draft) !== JSON.stringify(saved);
  const unsaved = useUnsaved(() => dirty);
  const { monitors, agents, find } = useChoices(config);
  const change = (more: Partial<Body>) => setChanges((before) => ({ ...before, ...more }));

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    start(async () => {
      try {
        await saveConfig(draft);
        fields.keep(undefined);
        await onSaved();
        // Changes made during the call are still unsaved.
        setChanges((now) => (now === changes ? {} : now));
        toast(t("status.saved"));
      } catch (failure) {
        fields.keep(failure);
        setTab(tabOf(failure) ?? tab);
        setRefusals((count) => count + 1);
        toast(failureText(t("status.saveFailed"), failure), { tone: "bad" });
      }
    });
  };

  return (
    <form className="status-config" ref={form} onSubmit={onSubmit} noValidate>
      <div className="config-fields">
        <div className="page-head">
          <div className="detail-title">
            <h1>{t("status.title")}</h1>
            <Badge tone={config.published ? "up" : "paused"} icon={config.published ? "globe" : "lock"}>
              {t(config.published ? "status.published" : "status.unpublished")}
            </Badge>
          </div>
          <div className="actions">
            <OpenPage config={config} />
          </div>
        </div>
        <Tabs
          label={t("status.tabs.label")}
          tabs={tabs.map((value) => ({ value, label: t(`status.tabs.${value}`) }))}
          chosen={tab}
          onChoose={setTab}
        >
          {tab === "general" && (
            <GeneralTab
              draft={draft}
              publicUrl={serverAddress() + config.path}
              published={config.published}
              isServed={isServed(config)}
              cssDropped={config.css_dropped}
              errorOf={fields.of}
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
            <LayoutTab draft={draft} choices={{ monitors, agents }} errorOf={fields.of} onChange={change} />
          )}
        </Tabs>
        <ChangesDisclosure object="status_page" />
        {(dirty || !config.published) && (
          <section className="save-bar" aria-label={t("common.action.save")}>
            <span role="status" className="soft small">
              {t(dirty ? "status.unsaved" : "status.unpublished")}
            </span>
            <div className="actions">
              <button type="submit" disabled={busy} aria-busy={busy}>
                {t(busy ? "common.action.saving" : config.published ? "common.action.save" : "status.publish")}
              </button>
            </div>
          </section>
        )}
      </div>
      <PreviewPane draft={draft} read={previewPage} />
      {unsaved}
    </form>
  );
}

/** Whether the page's address leads anywhere: the first administrator's does before the page is published. */
const isServed = ({ path, published }: Config): boolean => published || path === paths.status;

/** A link to the status page; disabled where nothing is at its address until it is published. */
function OpenPage({ config }: { config: Config }) {
  const { t } = useTranslation();
  const content = (
    <>
      <Icon name="external" />
      {t("status.open")}
    </>
  );
  return isServed(config) ? (
    <a href={base + config.path} className="button plain" target="_blank" rel="noopener">
      {content}
    </a>
  ) : (
    <button type="button" className="plain" disabled>
      {content}
    </button>
  );
}

/** Loads what the page begins with. */
export const prepare = (): Promise<void> => configAtom.prepare();

export default function ConfigPage() {
  return (
    <>
      <AreaTabs />
      <LoadedConfig />
    </>
  );
}

function LoadedConfig() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(configAtom);

  if (!data)
    return error ? (
      <Failure title={t("status.loadFailed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <div className="narrow">
        <Skeleton heights={["2.5rem", "2.5rem", "11rem", "20rem"]} />
      </div>
    );
  return <ConfigForm config={data.config} onSaved={refresh} />;
}
