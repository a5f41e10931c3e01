import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { choiceAtom } from "../../../lib/storage";
import { paths } from "../../../paths";
import { ItemsPage } from "../../../ui/lists/items-page";
import { monitorsAtom } from "../api";
import { DeleteMonitor } from "../detail/monitor-actions";
import { MonitorCard } from "./monitor-card";
import { MonitorTable } from "./monitor-table";
import { countMonitors, filters, selectMonitors, sorts } from "./select-monitors";

const viewAtom = choiceAtom("monitors.view", ["grid", "list"], "grid");
const sortAtom = choiceAtom("monitors.sort", sorts, "name");

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
