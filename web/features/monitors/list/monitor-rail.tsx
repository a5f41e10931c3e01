import { useAtom } from "jotai";
import { memo, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useRefreshOn } from "../../../lib/resource";
import { paths } from "../../../paths";
import { PulseBar } from "../../../ui/charts/pulse-bar";
import { StatusMark, shownStatus } from "../../../ui/feedback/badge";
import { Rail } from "../../../ui/lists/rail";
import { RowLink } from "../../../ui/lists/rows";
import { useFlash } from "../../../ui/lists/use-flash";
import { MutedMark } from "../../notifications/mute/mute-menu";
import { type ListedMonitor, loadAfterPause, monitorAtom, monitorsAtom, wantMonitors } from "../api";

type State = Pick<ListedMonitor, "active" | "muted">;

const isSameState = (a: State, b: State): boolean =>
  a.active === b.active && JSON.stringify(a.muted) === JSON.stringify(b.muted);

/** Loads what the list begins with. */
export const prepare = (): Promise<void> => monitorsAtom.prepare();

/** The list of monitors beside the page of one of them: searched, filtered and sorted as the list was before. */
export default function MonitorRail({ id }: { id: string }) {
  const { t } = useTranslation();
  const [{ data }, refresh] = useAtom(monitorsAtom);
  const [{ data: shown }, refreshPage] = useAtom(monitorAtom(id));
  // Its page would otherwise show a monitor that was deleted elsewhere until its next refresh.
  useRefreshOn(data?.counts.all, refreshPage);
  const listed = data?.monitors.find((monitor) => monitor?.id === Number(id));
  // The page pauses, resumes and mutes its monitor.
  const isOld = listed !== undefined && shown !== undefined && !isSameState(listed, shown.monitor);
  useEffect(() => {
    if (isOld) void refresh();
  }, [isOld, refresh]);
  if (!data) return <div className="rail" />;
  const { offset: _, limit: __, ...by } = data.listing;
  return (
    <Rail
      label={t("monitors.title")}
      slice={{ items: data.monitors, offset: data.listing.offset, total: data.total }}
      current={Number(id)}
      row={(monitor) => <RailRow monitor={monitor} current={monitor.id === Number(id)} />}
      onShown={(from, to) => {
        if (wantMonitors(by, from, to)) loadAfterPause(refresh);
      }}
    />
  );
}

const RailRow = memo(function RailRow({ monitor, current }: { monitor: ListedMonitor; current: boolean }) {
  const { t } = useTranslation();
  const row = useFlash<HTMLLIElement>(shownStatus(monitor));
  const { id, name, active, history } = monitor;
  const status = shownStatus(monitor);
  return (
    <li data-row data-id={id} className={status} ref={row}>
      <div className="row-name">
        <StatusMark status={status} label={t(`common.status.${status}`)} />
        <RowLink href={paths.monitor(id)} name={name} current={current} />
        <MutedMark of={monitor} />
      </div>
      <PulseBar
        history={history}
        unknown={monitor.unknown}
        maintenance={monitor.maintenance_times}
        count={24}
        paused={!active}
      />
    </li>
  );
});
