import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ServerRow } from "../agent-row";
import { type Block, blocksOf, brokenKeys } from "../blocks";
import { firstWatched, useWatchedSince } from "../day-bar";
import { MonitorRow } from "../monitor-row";
import type { Section, SectionProps } from "../section";

type RowsProps = { block: Block; historyDays: number; note: string | undefined };

function Rows({ block: { key, name, monitors, agents }, historyDays, note }: RowsProps) {
  const { t } = useTranslation();
  const figure = [note, t("statusPage.figure", { days: historyDays })].filter(Boolean).join(" · ");
  return (
    <section className="block">
      <div className="block-head">
        <h2>{name ?? t(key === "servers" ? "statusPage.servers" : "statusPage.services")}</h2>
        {monitors.length > 0 && <p className="caption">{figure}</p>}
      </div>
      <ul className="rows">
        {monitors.map((monitor) => (
          <li key={`monitor-${monitor.id}`}>
            <MonitorRow monitor={monitor} historyDays={historyDays} />
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

/** The explanation of pale days, with the start of watching if all services have the same, and the block that it belongs to. */
const usePaleNote = () => {
  const { t } = useTranslation();
  const sinceOf = useWatchedSince();
  return (blocks: readonly Block[]) => {
    const bars = blocks.flatMap(({ monitors }) => monitors.filter(({ days }) => days.length > 0));
    const starts = new Set(bars.map(({ days }) => firstWatched(days)));
    const block = blocks.find(({ monitors }) => monitors.some(({ days }) => firstWatched(days) > 0));
    return { block, note: (starts.size === 1 && sinceOf(bars[0]?.days ?? [])) || t("statusPage.pale") };
  };
};

/** Services and servers, one row each, in the groups of the owner, failures first. */
function Items({ page }: SectionProps) {
  const before = useRef<ReadonlySet<string>>(undefined);
  const leading = before.current && isInRow() ? before.current : brokenKeys(page);
  useEffect(() => {
    before.current = leading;
  }, [leading]);
  const blocks = blocksOf(page, leading);
  const pale = usePaleNote()(blocks);
  return blocks.map((block) => (
    <Rows
      key={block.key}
      block={block}
      historyDays={page.history_days}
      note={block === pale.block ? pale.note : undefined}
    />
  ));
}

export const itemsSection: Section = { key: "items", draw: Items };
