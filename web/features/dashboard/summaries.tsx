import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Icon, type IconName } from "../../ui/controls/icon";
import { useFormat } from "../../ui/hooks/use-format";
import type { Dashboard } from "../problems/api";

type Row = {
  icon: IconName;
  label: string;
  value: number;
  tone?: "up" | "down";
  /** The list of the counted items; a count of 0 has no link. */
  href?: string;
};

export function SummaryCard({
  icon,
  title,
  rows,
  note,
}: {
  icon: IconName;
  title: string;
  rows: Row[];
  note?: ReactNode;
}) {
  return (
    <section className="card summary">
      <h2>
        <Icon name={icon} />
        {title}
      </h2>
      <dl>
        {rows.map((row) => (
          <Figure key={row.label} {...row} />
        ))}
      </dl>
      {note && <p className="soft small note">{note}</p>}
    </section>
  );
}

function Figure({ icon, label, value, tone, href }: Row) {
  const { t } = useTranslation();
  const figure = useFormat().number(value);
  const leads = href !== undefined && value > 0;
  return (
    <div className={tone === "down" && value > 0 ? "down some" : tone}>
      <dt>
        <Icon name={icon} />
        {label}
        {leads && <Icon name="right" />}
      </dt>
      <dd>
        {leads ? (
          <Link href={href} aria-label={t("common.labelled", { label, value: figure })}>
            {figure}
          </Link>
        ) : (
          figure
        )}
      </dd>
    </div>
  );
}

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
