import { getDefaultStore, useAtom, useAtomValue } from "jotai";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Counts } from "../../../../src/modules/monitors/list";
import { useMedia } from "../../../lib/hooks/use-media";
import { choiceAtom } from "../../../lib/storage";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { UnknownLine } from "../../../ui/feedback/unknown-line";
import { useUnknownWords } from "../../../ui/hooks/use-unknown-words";
import { useIsReturn } from "../../../ui/layout/last-list";
import { ItemsPage } from "../../../ui/lists/items-page";
import { type Orders, selectionOf, sortChoices } from "../../../ui/lists/items-view";
import { dashboardAtom, isBroken } from "../../problems/api";
import { DeleteTarget } from "../../problems/delete-target";
import { ProblemBlock } from "../../problems/problem-block";
import { TagFilter } from "../../tags/tag-filter";
import { useCanChange } from "../../teams/use-can-change";
import { type ListedMonitor, loadAfterPause, monitorsAtom, openMonitors, type Selection, wantMonitors } from "../api";
import { BulkBar } from "../bulk/bulk-bar";
import { type Marking, MarkingContext, useMarking } from "../bulk/marking";
import { MonitorCard } from "./monitor-card";
import { MonitorColumns, MonitorRow, MonitorTable } from "./monitor-table";

const filters = ["all", "active", "down", "degraded", "unknown", "paused"] as const;
const sorts = ["status", "name", "uptime", "response", "checked"] as const;
const orders: Orders<(typeof sorts)[number]> = {
  ...{ status: "asc", name: "asc", uptime: "asc", response: "desc", checked: "desc" },
};

const viewAtom = choiceAtom("monitors.view", ["list", "grid"], "list");
const sortAtom = choiceAtom("monitors.sort", sortChoices(orders), "status asc");

const NONE: ListedMonitor[] = [];
const NO_FILTER: Pick<Selection, "search" | "tags" | "filter"> = { search: "", tags: [], filter: "all" };
/** The block of problems has the columns of the table. The same width is in figures.css. */
const IN_COLUMNS = "(min-width: 64rem)";
/** With more problems than these, the rows alone show them. */
const MOST_ABOVE = 10;

/** While nothing is known, the known states have no filter; otherwise the rare ones have one where there are any. */
const isOffered = (filter: Selection["filter"], counts: Counts | undefined, isUnknown: boolean): boolean => {
  if (isUnknown) return filter === "all" || filter === "unknown" || filter === "paused";
  return (filter !== "degraded" && filter !== "unknown") || (counts?.[filter] ?? 0) > 0;
};

/** The content of the status column, for its width. */
const statesOf = (listed: readonly ListedMonitor[]) => {
  const isReasoned = ({ unknown, status }: ListedMonitor) => !unknown && (status === "down" || status === "degraded");
  return listed.some(isReasoned) ? "reasons" : "words";
};

/** Loads what the page begins with. */
export const prepare = (): Promise<void> => {
  openMonitors(selectionOf(location.search, filters, orders, getDefaultStore().get(sortAtom)), false);
  return monitorsAtom.prepare();
};

/** How many problems the block above the list shows, and how many of them have their monitor among the first by status. */
const useProblems = () => {
  const { unknown, problems = [] } = useAtomValue(dashboardAtom).data ?? {};
  const shown = problems.filter(({ target_type }) => target_type === "monitor");
  return {
    unknown,
    count: shown.length <= MOST_ABOVE ? shown.length : 0,
    first: shown.filter((problem) => isBroken(problem) || problem.kind === "slow").length,
  };
};

export default function ListPage() {
  const { t } = useTranslation();
  const [remembered] = useAtom(sortAtom);
  // The list's own address causes the first load.
  const isReturn = useIsReturn();
  useState(() => openMonitors(selectionOf(location.search, filters, orders, remembered), isReturn));
  const [state, refresh] = useAtom(monitorsAtom);
  const view = useAtomValue(viewAtom);
  const { monitors = NONE, listing, total = 0, counts } = state.data ?? {};
  const { unknown, count, first } = useProblems();
  const unknownWords = useUnknownWords();
  const canChange = useCanChange();
  const ids = useMemo(() => monitors.map(({ id }) => id), [monitors]);
  const { search, tags, filter } = listing ?? NO_FILTER;
  const marking = useMarking(ids, JSON.stringify([search, tags, filter]));
  // The block above the list has all that are down or slow, which are the first by status: their rows are left out.
  const above = count > 0 && !marking.isOn && counts && first === counts.down + counts.degraded ? first : 0;
  const rest = useMemo(() => monitors.slice(above), [monitors, above]);
  const bad = (counts?.down ?? 0) + (counts?.degraded ?? 0);
  const isInBlock = ({ filter, search, tags, sort, order }: Selection) =>
    above > 0 && filter === "all" && !search && tags.length === 0 && sort === "status" && order === "asc";
  const offset = listing?.offset ?? 0;
  const isInColumns = useMedia(IN_COLUMNS) && view === "list";
  const hasBlock = ({ filter, search, tags }: Selection) =>
    count > 0 && !marking.isOn && filter === "all" && !search && tags.length === 0;
  // Below the heads of the table, which has no rows where the block has all monitors.
  const isBlockInTable = (by: Selection) => hasBlock(by) && isInColumns && total > (isInBlock(by) ? above : 0);
  const block = <ProblemBlock only="monitor" onChanged={() => void refresh()} />;
  const listed = listing && isInBlock(listing) ? rest : monitors;
  // Of a list that is loaded in parts, the other parts may have some.
  const mayHaveReasons = total > monitors.length && bad > monitors.length - listed.length;
  const states = mayHaveReasons ? "reasons" : statesOf(listed);
  const offered = filters.filter((one) => one === filter || isOffered(one, counts, Boolean(unknown)));

  return (
    <MarkingContext value={marking.context}>
      <ItemsPage
        words="monitors"
        icon="pulse"
        createAt={canChange ? paths.monitorCreate : undefined}
        cardHeight={168}
        counts={counts && { ...counts, active: counts.all - counts.paused }}
        total={counts?.all ?? 0}
        state={state}
        refresh={() => void refresh()}
        filters={offered.map((value) => ({
          value,
          label: value === "unknown" ? t("common.status.unknown") : t(`monitors.filter.${value}`),
        }))}
        filterLabel={t("monitors.filter.label")}
        sorts={sorts.map((value) => ({ value, label: t(`monitors.sort.${value}`) }))}
        orders={orders}
        sortAtom={sortAtom}
        viewAtom={viewAtom}
        controls={({ tags }, change) => (
          <>
            <TagFilter
              of="monitors"
              chosen={tags}
              onChange={(next) => change({ tags: next })}
              onManaged={() => void refresh()}
            />
            {view === "list" && <MonitorColumns />}
            {canChange && <SelectButton marking={marking} />}
          </>
        )}
        select={(by) =>
          isInBlock(by)
            ? { items: offset === 0 ? rest : monitors, offset: Math.max(0, offset - above), total: total - above }
            : { items: monitors, offset, total }
        }
        onShown={(by, from, to) => {
          const left = isInBlock(by) ? above : 0;
          if (wantMonitors(by, from + left, to + left)) loadAfterPause(refresh);
        }}
        above={(by) => (
          <>
            {unknown && <UnknownLine text={t("unknown.all", { text: unknownWords.because(unknown) })} />}
            {hasBlock(by) && !isBlockInTable(by) && block}
          </>
        )}
        card={(monitor, onDelete) => <MonitorCard monitor={monitor} onDelete={onDelete} heading="h2" />}
        row={(monitor, onDelete) => <MonitorRow monitor={monitor} onDelete={onDelete} />}
        table={(body, sorting, by) => (
          <MonitorTable body={body} sorting={sorting} states={states} block={isBlockInTable(by) && block} />
        )}
        dialog={(monitor, on) => (
          <DeleteTarget target={{ type: "monitor", id: monitor.id, name: monitor.name }} {...on} />
        )}
      />
      {marking.isOn && (
        <BulkBar
          marking={marking}
          monitors={monitors}
          total={total}
          by={{ search, tags, filter }}
          onChanged={() => void refresh()}
        />
      )}
    </MarkingContext>
  );
}

/** Begins and ends the selection of monitors for actions on many. */
function SelectButton({ marking: { isOn, start, stop } }: { marking: Marking }) {
  const { t } = useTranslation();
  return (
    <button type="button" className="quiet compact" aria-pressed={isOn} onClick={isOn ? stop : start}>
      <Icon name="check" />
      <span className="label">{t("bulk.select")}</span>
    </button>
  );
}
