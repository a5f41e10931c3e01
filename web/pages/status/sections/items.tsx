import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ServerRow } from "../agent-row";
import { type Block, blocksOf, brokenKeys } from "../blocks";
import { useWatchedSince, watchedSince } from "../day-bar";
import { MonitorRow } from "../monitor-row";
import type { Section, SectionProps } from "../section";

type RowsProps = { block: Block; historyDays: number };

function Rows({ block: { key, name, monitors, agents }, historyDays }: RowsProps) {
  const { t } = useTranslation();
  // Services that are watched since the same day have one text above them, others each their own.
  const isOneStart = new Set(monitors.map(({ days }) => watchedSince(days))).size === 1;
  const since = useWatchedSince()(monitors[0]?.days ?? []);
  const figure = [isOneStart && since, t("statusPage.figure", { days: historyDays })].filter(Boolean).join(" · ");
  return (
    <section className="block">
      <div className="block-head">
        <h2>{name ?? t(key === "servers" ? "statusPage.servers" : "statusPage.services")}</h2>
        {monitors.length > 0 && <p className="caption">{figure}</p>}
      </div>
      <ul className="rows">
        {monitors.map((monitor) => (
          <li key={`monitor-${monitor.id}`}>
            <MonitorRow monitor={monitor} historyDays={historyDays} withStart={!isOneStart} />
          </li>
        ))}
        {agents.map((agent) => (
          <li key={`agent-${agent.id}`}>
            <ServerRow agent={agent} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether the keyboard is in a row: moving it in the document would take the focus away. */
const isInRow = () => typeof document !== "undefined" && document.activeElement?.closest(".rows") != null;

/** Services and servers, one row each, in the groups of the owner, failures first. */
function Items({ page }: SectionProps) {
  const before = useRef<ReadonlySet<string>>(undefined);
  const leading = before.current && isInRow() ? before.current : brokenKeys(page);
  useEffect(() => {
    before.current = leading;
  }, [leading]);
  return blocksOf(page, leading).map((block) => <Rows key={block.key} block={block} historyDays={page.history_days} />);
}

export const itemsSection: Section = { key: "items", draw: Items };
