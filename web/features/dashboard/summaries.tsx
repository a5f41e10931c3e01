import { useTranslation } from "react-i18next";
import { paths } from "../../paths";
import { SummaryCard } from "../../ui/lists/summary-card";
import type { Dashboard } from "./dashboard-state";

export function Summaries({ dashboard: { monitors, agents } }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const { pending, paused } = monitors;
  return (
    <div className="summaries">
      <SummaryCard
        icon="pulse"
        title={t("dashboard.monitors.title")}
        rows={[
          { icon: "up", label: t("dashboard.monitors.up"), value: monitors.up, tone: "up" },
          {
            icon: "down",
            label: t("dashboard.monitors.down"),
            value: monitors.down,
            tone: "down",
            href: `${paths.monitors}?status=down`,
          },
          { icon: "layers", label: t("dashboard.monitors.total"), value: monitors.total },
        ]}
        note={pending + paused > 0 ? t("dashboard.monitors.also", { pending, paused }) : undefined}
      />
      <SummaryCard
        icon="server"
        title={t("dashboard.agents.title")}
        rows={[
          { icon: "up", label: t("dashboard.agents.up"), value: agents.active, tone: "up" },
          {
            icon: "down",
            label: t("dashboard.agents.down"),
            value: agents.inactive,
            tone: "down",
            href: `${paths.agents}?status=inactive`,
          },
          { icon: "layers", label: t("dashboard.agents.total"), value: agents.total },
        ]}
        note={agents.connecting > 0 ? t("dashboard.agents.also", { connecting: agents.connecting }) : undefined}
      />
    </div>
  );
}
