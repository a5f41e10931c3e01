import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "wouter";
import { RefreshButton } from "../../ui/controls/refresh-button";
import { Tabs } from "../../ui/controls/tabs";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { Stale } from "../../ui/feedback/stale";
import type { Notifications } from "./api";
import { notificationsAtom } from "./api";
import { ChannelsTab } from "./channels/channels-tab";
import { HistoryTab } from "./history/history-tab";
import { PoliciesTab } from "./policies/policies-tab";
import { GlobalTab } from "./rules/global-tab";
import { SaveBar } from "./rules/save-bar";
import { SpecificTab } from "./rules/specific-tab";
import { TemplatesTab } from "./templates/templates-tab";
import { ThresholdsTab } from "./thresholds/thresholds-tab";

const tabs = [
  ...(["global", "history", "channels", "policies", "templates", "monitors", "agents", "thresholds"] as const),
] as const;
type Tab = (typeof tabs)[number];

export default function NotificationsPage() {
  const { t } = useTranslation();
  const [{ data, error, loading }, refresh] = useAtom(notificationsAtom);
  const retry = () => void refresh();

  return (
    <>
      <div className="page-head">
        <h1>{t("notifications.title")}</h1>
        <div className="actions">
          <RefreshButton loading={loading} onRefresh={retry} />
        </div>
      </div>
      {data ? (
        <>
          <Stale error={error} onRetry={retry} />
          <NotificationTabs data={data} />
          <SaveBar settings={data.settings} />
        </>
      ) : error ? (
        <Failure title={t("notifications.loadFailed")} error={error} onRetry={retry} />
      ) : (
        <Skeleton heights={["2.5rem", "16rem", "22rem"]} />
      )}
    </>
  );
}

function NotificationTabs({ data }: { data: Notifications }) {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const chosen = tabs.find((tab) => tab === search.get("tab")) ?? "global";
  const adding = search.get("add") !== null;
  const only = Number(search.get("id")) || undefined;
  const go = (tab: Tab, more: Record<string, string> = {}) =>
    setSearch(tab === "global" ? {} : { tab, ...more }, { replace: true });

  return (
    <Tabs
      label={t("notifications.tab.label")}
      tabs={tabs.map((value) => ({ value, label: t(`notifications.tab.${value}`) }))}
      chosen={chosen}
      onChoose={(tab) => go(tab)}
    >
      {chosen === "global" && <GlobalTab data={data} onAddChannel={() => go("channels", { add: "" })} />}
      {chosen === "channels" && (
        <ChannelsTab data={data} adding={adding} onAdding={(add) => go("channels", add ? { add: "" } : {})} />
      )}
      {chosen === "templates" && (
        <TemplatesTab templates={data.templates} own={data.own_templates} channels={data.channels} />
      )}
      {chosen === "policies" && <PoliciesTab data={data} onAddChannel={() => go("channels", { add: "" })} />}
      {chosen === "monitors" && (
        <SpecificTab key="monitor" kind="monitor" data={data} only={only} onAll={() => go("monitors")} />
      )}
      {chosen === "agents" && (
        <SpecificTab key="agent" kind="agent" data={data} only={only} onAll={() => go("agents")} />
      )}
      {chosen === "thresholds" && <ThresholdsTab addFor={only} onAdded={() => go("thresholds")} />}
      {chosen === "history" && <HistoryTab />}
    </Tabs>
  );
}
