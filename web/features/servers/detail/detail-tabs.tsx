import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "wouter";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { Tabs } from "../../../ui/controls/tabs";
import { Empty } from "../../../ui/feedback/empty";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { ChangesDisclosure } from "../../changes/disclosure";
import { AlertsTab } from "../../notifications/alerts-tab/lazy";
import type { ServerDetail } from "../api";
import { TrafficPanel } from "../plan/traffic-panel";
import { AboutTab } from "./about-tab";
import { DisksTab } from "./disks-tab";
import { alertingOf, isBroken } from "./machine/containers";
import { InterfacesPanel } from "./machine/devices-panel";
import { PartsTab } from "./machine/parts-tab";
import { OverviewTab } from "./overview-tab";

const TABS = ["overview", "disks", "parts", "traffic", "alerts", "about"] as const;
type Tab = (typeof TABS)[number];

const isOpen = ({ ended_at }: ServerDetail["outages"][number]) => ended_at === null;

/** The number of problems that a tab has more about. None are counted while the state is unknown. */
const problemsOf = (agent: ServerDetail): Partial<Record<Tab, number>> => {
  if (agent.unknown) return {};
  const filling = agent.outages.filter((one) => isOpen(one) && (one.kind === "disk" || one.kind === "filling"));
  const alerting = alertingOf(agent);
  const broken = agent.containers?.filter((container) => isBroken(container, alerting)) ?? [];
  const degraded = agent.arrays?.filter(({ degraded }) => degraded) ?? [];
  return {
    disks: filling.length + degraded.length + agent.unreadable_disks.length,
    parts: (agent.failed_units?.length ?? 0) + broken.length,
  };
};

/** The tabs that have content: a server that reports four figures has no disks of its own, containers or services. */
const tabsOf = ({ disks, disk_activity, arrays, unreadable_disks, ...agent }: ServerDetail): Tab[] => {
  const hasDisks = [disks, disk_activity, arrays, unreadable_disks].some((list) => (list?.length ?? 0) > 0);
  const hasParts = agent.containers !== null || agent.failed_units !== null;
  const hasTraffic = agent.traffic !== null || agent.plan !== null || agent.owner === undefined;
  const left: Partial<Record<Tab, boolean>> = { disks: !hasDisks, parts: !hasParts, traffic: !hasTraffic };
  return TABS.filter((tab) => !left[tab]);
};

type Props = { agent: ServerDetail; onChanged: () => void };

/** Everything about a server, by questions. The tab is in the address. */
export function DetailTabs({ agent, onChanged }: Props) {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const problems = problemsOf(agent);
  const tabs = tabsOf(agent);
  const chosen = tabs.find((tab) => tab === search.get("tab")) ?? "overview";
  const choose = (tab: Tab) =>
    setSearch(
      (before) => {
        // The span of the charts stays.
        const after = new URLSearchParams(before);
        if (tab === "overview") after.delete("tab");
        else after.set("tab", tab);
        return after;
      },
      { replace: true },
    );
  return (
    <Tabs
      label={t("agents.detail.tab.label")}
      tabs={tabs.map((value) => {
        const count = problems[value] ?? 0;
        return {
          value,
          label: t(`agents.detail.tab.${value}`),
          mark: count > 0 ? { count, text: t("agents.detail.tab.problems", { count }) } : undefined,
        };
      })}
      chosen={chosen}
      onChoose={choose}
    >
      <div className="dense">
        {chosen === "overview" && <OverviewTab agent={agent} onChanged={onChanged} />}
        {chosen === "disks" && <DisksTab agent={agent} />}
        {chosen === "parts" && <PartsTab machine={agent} onChanged={onChanged} />}
        {chosen === "traffic" && <TrafficTab agent={agent} />}
        {chosen === "alerts" && (
          <Suspense fallback={<Skeleton heights={["6rem", "16rem"]} />}>
            <AlertsTab
              target={{ type: "agent", id: agent.id, name: agent.name }}
              muted={agent.muted}
              isOwn={agent.owner === undefined}
              figures={agent}
              onChanged={onChanged}
            />
          </Suspense>
        )}
        {chosen === "about" && (
          <div className="stack">
            <AboutTab agent={agent} />
            <ChangesDisclosure object={`agent:${agent.id}`} />
          </div>
        )}
      </div>
    </Tabs>
  );
}

function TrafficTab({ agent }: { agent: ServerDetail }) {
  const { t } = useTranslation();
  const { traffic, plan, id, owner } = agent;
  const edit = owner === undefined && (
    <Link href={paths.agentEdit(id)} className="button plain compact">
      <Icon name={plan ? "edit" : "plus"} />
      {t(plan ? "plan.edit" : "plan.add")}
    </Link>
  );
  return (
    <div className="traffic-tab">
      <TrafficPanel agent={agent} action={edit} />
      {!traffic && !plan && (
        <Empty heading="h2" icon="server" title={t("plan.emptyTitle")} text={t("plan.emptyText")}>
          {edit}
        </Empty>
      )}
      <InterfacesPanel interfaces={agent.interfaces ?? []} />
    </div>
  );
}
