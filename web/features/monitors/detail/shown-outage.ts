import type { MonitorDetail } from "../api";

/** The open outage that the state of a monitor shows. */
export const shownOutage = ({ status, outages }: Pick<MonitorDetail, "outages"> & { status: string }) => {
  const kind = { down: "down", degraded: "slow" }[status];
  return outages.find((outage) => outage.ended_at === null && outage.kind === kind);
};
