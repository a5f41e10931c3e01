import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "wouter";
import { RefreshButton } from "../../ui/controls/refresh-button";
import { Tabs } from "../../ui/controls/tabs";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { Stale } from "../../ui/feedback/stale";
import { ChangesDisclosure } from "../changes/disclosure";
import type { Notifications } from "./api";
import { exceptionsAtom, keyOfFilter, notificationsAtom } from "./api";
import { ChannelsTab } from "./channels/channels-tab";
import { HistoryTab } from "./history/history-tab";
import { RULE_PARTS, type RulePart, RulesTab } from "./rules/rules-tab";
import { SaveBar } from "./rules/save-bar";
import { thresholdsAtom } from "./thresholds/api";

const tabs = ["rules", "channels", "history"] as const;
type Tab = (typeof tabs)[number];

/** Every address of a part of this page, with the tab that has it. Earlier there was a tab for each. */
const places = { channels: "channels", templates: "channels", history: "history" } as const satisfies Record<
  string,
  Tab
>;
type Place = keyof typeof places | RulePart;

/** Loads what the page begins with. */
export const prepare = async (): Promise<void> => {
  const asked = new URLSearchParams(location.search).get("tab");
  const rules = [exceptionsAtom(keyOfFilter({ of: undefined, search: "" })), thresholdsAtom];
  const isRules = asked === null || !Object.hasOwn(places, asked);
  await Promise.all([notificationsAtom, ...(isRules ? rules : [])].map((data) => data.prepare()));
};

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
      {!data && error ? (
        <Failure title={t("notifications.loadFailed")} error={error} onRetry={retry} />
      ) : (
        <>
          {data && <Stale error={error} onRetry={retry} />}
          <NotificationTabs data={data} />
          {data && <SaveBar settings={data.settings} />}
        </>
      )}
    </>
  );
}

function NotificationTabs({ data }: { data: Notifications | undefined }) {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const asked = search.get("tab") ?? "";
  const rulePart = RULE_PARTS.find((part) => part === asked) ?? "global";
  const chosen: Tab = Object.hasOwn(places, asked) ? places[asked as keyof typeof places] : "rules";
  const adding = search.get("add") !== null;
  const only = Number(search.get("id")) || undefined;
  const go = (place: Place, more: Record<string, string> = {}) =>
    setSearch(place === "global" ? {} : { tab: place, ...more }, { replace: true });
  const addChannel = () => go("channels", { add: "" });

  return (
    <Tabs
      label={t("notifications.tab.label")}
      tabs={tabs.map((value) => ({ value, label: t(`notifications.tab.${value}`) }))}
      chosen={chosen}
      onChoose={(tab) => go(tab === "rules" ? "global" : tab)}
    >
      {!data && <Skeleton heights={["12rem", "12rem", "9rem"]} />}
      {data && chosen === "rules" && (
        <div className="stack">
          <RulesTab data={data} part={rulePart} id={only} onPart={go} onAddChannel={addChannel} />
          <ChangesDisclosure object="rule,policy,threshold" />
        </div>
      )}
      {data && chosen === "channels" && (
        <div className="stack">
          <ChannelsTab
            data={data}
            adding={adding}
            showsTemplates={asked === "templates"}
            onAdding={(add) => go("channels", add ? { add: "" } : {})}
          />
          <ChangesDisclosure object="channel,template" />
        </div>
      )}
      {data && chosen === "history" && <HistoryTab />}
    </Tabs>
  );
}
