import type { LiveServer } from "../../../src/shared/live";

/** The fields of a server that reports change. */
type Shown = Omit<LiveServer, "id"> & { id: number };

/** A server after a report that is not older than what it shows; otherwise the same object. */
export const withReport = <A extends Shown>(agent: A, report: LiveServer | undefined): A =>
  !report || (agent.updated_at ?? "") > (report.updated_at ?? "") ? agent : { ...agent, ...report };

/** The newest report of each server. */
export const byServer = (reports: readonly LiveServer[]): Map<number, LiveServer> =>
  new Map(reports.map((report) => [report.id, report]));
