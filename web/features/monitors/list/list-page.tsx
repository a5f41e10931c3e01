import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { paths } from "../../../paths";
import { ItemsPage } from "../../../ui/lists/items-page";
import { DeleteMonitor } from "../detail/delete-monitor";
import { monitorsAtom, sortAtom, viewAtom } from "../monitors-state";
import { MonitorCard } from "./monitor-card";
import { MonitorTable } from "./monitor-table";
import { countMonitors, filters, selectMonitors, sorts } from "./select-monitors";

export default function ListPage() {
  const { t } = useTranslation();
  const [state, refresh] = useAtom(monitorsAtom);

  return (
    <ItemsPage
      words="monitors"
      icon="pulse"
      createAt={paths.monitorCreate}
      cardHeight="14rem"
      items={state.data?.monitors}
      total={state.data?.total}
      state={state}
      refresh={() => void refresh()}
      filters={filters.map((value) => ({ value, label: t(`monitors.filter.${value}`) }))}
      filterLabel={t("monitors.filter.label")}
      sorts={sorts.map((value) => ({ value, label: t(`monitors.sort.${value}`) }))}
      sortAtom={sortAtom}
      viewAtom={viewAtom}
      select={selectMonitors}
      count={countMonitors}
      card={(monitor, onDelete) => <MonitorCard monitor={monitor} onDelete={onDelete} heading="h2" />}
      table={(monitors, onDelete) => <MonitorTable monitors={monitors} onDelete={onDelete} />}
      dialog={(monitor, on) => <DeleteMonitor monitor={monitor} {...on} />}
    />
  );
}
