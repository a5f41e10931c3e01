import { getDefaultStore, useAtom, useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { choiceAtom } from "../../../lib/storage";
import { paths } from "../../../paths";
import { ColumnChooser } from "../../../ui/controls/column-chooser";
import { UnknownLine } from "../../../ui/feedback/unknown-line";
import { useUnknownWords } from "../../../ui/hooks/use-unknown-words";
import { useIsReturn } from "../../../ui/layout/last-list";
import { ItemsPage } from "../../../ui/lists/items-page";
import { type Orders, selectionOf, sortChoices } from "../../../ui/lists/items-view";
import { DeleteTarget } from "../../problems/delete-target";
import { ProblemBlock } from "../../problems/problem-block";
import { TagFilter } from "../../tags/tag-filter";
import { useCanChange } from "../../teams/use-can-change";
import { loadAfterPause, openServers, type Selection, serversAtom, sorts, wantServers } from "../api";
import { hiddenColumnsAtom, OPTIONAL_NAMES, useColumns } from "./columns";
import { ServerCard } from "./server-card";
import { ServerRow, ServerTable } from "./server-table";

const filters = ["all", "alerts", "active", "inactive", "connecting", "unknown"] as const;

const orders: Orders<Selection["sort"]> = {
  ...{ status: "asc", name: "asc", hostname: "asc", cpu: "desc", memory: "desc", disk: "desc" },
  ...{ network: "desc", traffic: "desc", load: "desc", uptime: "desc", disk_full: "asc", reported: "desc", os: "asc" },
};

const viewAtom = choiceAtom("agents.view", ["list", "grid"], "list");
const sortAtom = choiceAtom("agents.sort", sortChoices(orders), "status asc");

/** Loads what the page begins with. */
export const prepare = (): Promise<void> => {
  openServers(selectionOf(location.search, filters, orders, getDefaultStore().get(sortAtom)), false);
  return serversAtom.prepare();
};

export default function ListPage() {
  const { t } = useTranslation();
  const [remembered] = useAtom(sortAtom);
  // The list's own address causes the first load.
  const isReturn = useIsReturn();
  useState(() => openServers(selectionOf(location.search, filters, orders, remembered), isReturn));
  const [state, refresh] = useAtom(serversAtom);
  const { agents = [], listing, total = 0, counts } = state.data ?? {};
  const view = useAtomValue(viewAtom);
  const canChange = useCanChange();
  const columns = useColumns(
    useAtomValue(hiddenColumnsAtom),
    agents.some(({ disk_forecast }) => disk_forecast !== null && disk_forecast.outlook !== "unknown"),
  );

  const unknownWords = useUnknownWords();
  // Nothing is known of any server, or something of each.
  const unknown = agents.find((agent) => agent.unknown)?.unknown ?? null;
  const isOffered = (filter: Selection["filter"]) => {
    if (unknown || filter === "unknown") return filter === "all" || (unknown !== null && filter === "unknown");
    const isRare = filter === "alerts" || filter === "connecting";
    return !isRare || (counts?.[filter] ?? 0) > 0 || listing?.filter === filter;
  };
  const labelOf = (filter: Selection["filter"]) =>
    filter === "all" || filter === "alerts"
      ? t(`agents.${filter}`)
      : filter === "unknown"
        ? t("common.status.unknown")
        : t(`agents.status.${filter}`);

  return (
    <ItemsPage
      words="agents"
      icon="server"
      createAt={canChange ? paths.agentCreate : undefined}
      cardHeight={288}
      counts={counts && { ...counts, unknown: counts.all }}
      total={counts?.all ?? 0}
      above={({ filter, search, tags }) => (
        <>
          {unknown && <UnknownLine text={t("agents.lastKnown", { text: unknownWords.because(unknown) })} />}
          {filter === "all" && !search && tags.length === 0 && (
            <ProblemBlock only="agent" onChanged={() => void refresh()} />
          )}
        </>
      )}
      state={state}
      refresh={() => void refresh()}
      filters={filters.filter(isOffered).map((value) => ({ value, label: labelOf(value) }))}
      filterLabel={t("agents.filter")}
      sorts={sorts.map((value) => ({ value, label: t(`agents.sort.${value}`) }))}
      orders={orders}
      sortAtom={sortAtom}
      viewAtom={viewAtom}
      controls={({ tags }, change) => (
        <>
          <TagFilter
            of="agents"
            chosen={tags}
            onChange={(next) => change({ tags: next })}
            onManaged={() => void refresh()}
          />
          {view === "list" && (
            <ColumnChooser
              columns={OPTIONAL_NAMES.map((name) => ({ name, label: t(`agents.column.${name}`) }))}
              hint={t("agents.columns.hint")}
              hiddenAtom={hiddenColumnsAtom}
            />
          )}
        </>
      )}
      select={() => ({ items: agents, offset: listing?.offset ?? 0, total })}
      onShown={(by, from, to) => {
        if (wantServers(by, from, to)) loadAfterPause(refresh);
      }}
      card={(agent, onDelete) => <ServerCard agent={agent} onDelete={onDelete} heading="h2" />}
      row={(agent, onDelete) => <ServerRow agent={agent} columns={columns} onDelete={onDelete} />}
      table={(body, sorting) => <ServerTable columns={columns} body={body} sorting={sorting} />}
      dialog={(agent, on) => <DeleteTarget target={{ type: "agent", id: agent.id, name: agent.name }} {...on} />}
    />
  );
}
