import { getDefaultStore, useAtom, useAtomValue } from "jotai";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
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
import { MarkingContext, useMarking } from "../bulk/marking";
import { MonitorCard } from "./monitor-card";
import { MonitorColumns, MonitorRow, MonitorTable } from "./monitor-table";

const filters = ["all", "active", "down", "degraded", "paused"] as const;
const sorts = ["status", "name", "uptime", "response", "checked"] as const;
const orders: Orders<(typeof sorts)[number]> = {
  ...{ status: "asc", name: "asc", uptime: "asc", response: "desc", checked: "desc" },
};

const viewAtom = choiceAtom("monitors.view", ["list", "grid"], "list");
const sortAtom = choiceAtom("monitors.sort", sortChoices(orders), "status asc");

const NONE: ListedMonitor[] = [];
const NO_FILTER: Pick<Selection, "search" | "tags" | "filter"> = { search: "", tags: [], filter: "all" };
/** With more problems than these, the rows alone show them. */
const MOST_ABOVE = 10;

/** What the column of the status has room for. */
const statesOf = (listed: readonly ListedMonitor[]) => {
  const isReasoned = ({ unknown, status }: ListedMonitor) => !unknown && (status === "down" || status === "degraded");
  return listed.some(isReasoned) ? "reasons" : "words";
};

/** Loads what the page begins with. */
export const prepare = (): Promise<void> => {
  openMonitors(selectionOf(location.search, filters, orders, getDefaultStore().get(sortAtom)), false);
  return monitorsAtom.prepare();
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
  const dashboard = useAtomValue(dashboardAtom).data;
  const unknown = dashboard?.unknown;
  const unknownWords = useUnknownWords();
  const problems = dashboard?.problems.filter(({ target_type }) => target_type === "monitor");
  const count = problems && problems.length <= MOST_ABOVE ? problems.length : 0;
  const canChange = useCanChange();
  const ids = useMemo(() => monitors.map(({ id }) => id), [monitors]);
  const { search, tags, filter } = listing ?? NO_FILTER;
  const marking = useMarking(ids, JSON.stringify([search, tags, filter]));
  // The block above the list has all that are down or slow, which are the first by status: their rows are left out.
  const first = problems?.filter((problem) => isBroken(problem) || problem.kind === "slow").length ?? 0;
  const above = count > 0 && !marking.isOn && counts && first === counts.down + counts.degraded ? first : 0;
  const rest = useMemo(() => monitors.slice(above), [monitors, above]);
  const bad = (counts?.down ?? 0) + (counts?.degraded ?? 0);
  const isInBlock = ({ filter, search, tags, sort, order }: Selection) =>
    above > 0 && filter === "all" && !search && tags.length === 0 && sort === "status" && order === "asc";
  const offset = listing?.offset ?? 0;
  const listed = listing && isInBlock(listing) ? rest : monitors;
  // Of a list that is loaded in parts, the other parts may have some.
  const mayHaveReasons = total > monitors.length && bad > monitors.length - listed.length;
  const states = mayHaveReasons ? "reasons" : statesOf(listed);
  const isOffered = (filter: Selection["filter"]) =>
    filter !== "degraded" || (counts?.degraded ?? 0) > 0 || listing?.filter === filter;

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
        filters={filters.filter(isOffered).map((value) => ({ value, label: t(`monitors.filter.${value}`) }))}
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
            {canChange && (
              <button
                type="button"
                className="quiet compact"
                aria-pressed={marking.isOn}
                onClick={marking.isOn ? marking.stop : marking.start}
              >
                <Icon name="check" />
                <span className="label">{t("bulk.select")}</span>
              </button>
            )}
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
        above={({ filter, search, tags }) => (
          <>
            {unknown && <UnknownLine text={t("unknown.all", { text: unknownWords.because(unknown) })} />}
            {count > 0 && !marking.isOn && filter === "all" && !search && tags.length === 0 && (
              <ProblemBlock only="monitor" onChanged={() => void refresh()} />
            )}
          </>
        )}
        card={(monitor, onDelete) => <MonitorCard monitor={monitor} onDelete={onDelete} heading="h2" />}
        row={(monitor, onDelete) => <MonitorRow monitor={monitor} onDelete={onDelete} />}
        table={(body, sorting) => <MonitorTable body={body} sorting={sorting} states={states} />}
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
