import type { LiveAgent } from "../../../src/shared/live";

/** The fields of a server that reports change. */
type Shown = Omit<LiveAgent, "id"> & { id: number };

/** A server after a report that is not older than what it shows; otherwise the same object. */
export const withReport = <A extends Shown>(agent: A, report: LiveAgent | undefined): A =>
  !report || (agent.updated_at ?? "") > (report.updated_at ?? "") ? agent : { ...agent, ...report };

/** The newest report of each server. */
export const byAgent = (reports: readonly LiveAgent[]): Map<number, LiveAgent> =>
  new Map(reports.map((report) => [report.id, report]));
