import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { choiceAtom } from "../../../lib/storage";
import { paths } from "../../../paths";
import { ItemsPage } from "../../../ui/lists/items-page";
import { type Orders, selectionOf, sortChoices } from "../../../ui/lists/items-view";
import { loadAfterPause, monitorsAtom, wantMonitors } from "../api";
import { DeleteMonitor } from "../detail/monitor-actions";
import { MonitorCard } from "./monitor-card";
import { MonitorRow, MonitorTable } from "./monitor-table";

const filters = ["all", "active", "down", "paused"] as const;
const sorts = ["status", "name", "uptime", "response", "checked"] as const;
const orders: Orders<(typeof sorts)[number]> = {
  ...{ status: "asc", name: "asc", uptime: "asc", response: "desc", checked: "desc" },
};

const viewAtom = choiceAtom("monitors.view", ["list", "grid"], "list");
const sortAtom = choiceAtom("monitors.sort", sortChoices(orders), "status asc");

export default function ListPage() {
  const { t } = useTranslation();
  const [remembered] = useAtom(sortAtom);
  // The first load, when the list is mounted, is that of its address.
  useState(() => wantMonitors(selectionOf(location.search, filters, orders, remembered), 0, 1));
  const [state, refresh] = useAtom(monitorsAtom);
  const { monitors = [], listing, total = 0, counts } = state.data ?? {};

  return (
    <ItemsPage
      words="monitors"
      icon="pulse"
      createAt={paths.monitorCreate}
      cardHeight={168}
      counts={counts && { ...counts, active: counts.all - counts.paused }}
      total={counts?.all ?? 0}
      state={state}
      refresh={() => void refresh()}
      filters={filters.map((value) => ({ value, label: t(`monitors.filter.${value}`) }))}
      filterLabel={t("monitors.filter.label")}
      sorts={sorts.map((value) => ({ value, label: t(`monitors.sort.${value}`) }))}
      orders={orders}
      sortAtom={sortAtom}
      viewAtom={viewAtom}
      select={() => ({ items: monitors, offset: listing?.offset ?? 0, total })}
      onShown={(by, from, to) => {
        if (wantMonitors(by, from, to)) loadAfterPause(refresh);
      }}
      card={(monitor, onDelete) => <MonitorCard monitor={monitor} onDelete={onDelete} heading="h2" />}
      row={(monitor, onDelete) => <MonitorRow monitor={monitor} onDelete={onDelete} />}
      table={(body, sorting) => <MonitorTable body={body} sorting={sorting} />}
      dialog={(monitor, on) => <DeleteMonitor monitor={monitor} {...on} />}
    />
  );
}
