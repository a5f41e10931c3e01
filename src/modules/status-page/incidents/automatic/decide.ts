/** Decides what the hub publishes by itself about the components of a page. */
import type { Interval } from "../../../../lib/intervals";
import { MINUTE } from "../../../../shared/limits";
import type { AutoIncidents } from "../../../../shared/status/auto-incidents";

/** A component: its outages without maintenance and mutes, and all of them. The last one goes on where it ends at Infinity. */
type Judged = { id: number; down: readonly Interval[]; measured: readonly Interval[] };
/** An incident of the page that is open, or that ended lately. */
export type Existing = { id: number; auto: boolean; resolvedAt: number | null; components: readonly number[] };

type Situation = {
  settings: Pick<AutoIncidents, "after" | "resolve_after">;
  components: readonly Judged[];
  incidents: readonly Existing[];
  now: number;
  /** Outages that began before are not published. */
  since: number;
};

export type Decision =
  | { kind: "publish"; components: { id: number; since: number }[] }
  | { kind: "add"; incident: Existing; components: { id: number; since: number }[] }
  | { kind: "resolve"; incident: Existing };

const ongoing = (times: readonly Interval[]): number | null => {
  const last = times.at(-1);
  return last?.to === Number.POSITIVE_INFINITY ? last.from : null;
};

/** Whether an outage has an incident: an open one, or one resolved since its start. Open ones without components are about all. */
const isTold = (incidents: readonly Existing[], id: number, since: number): boolean =>
  incidents.some(
    ({ auto, resolvedAt, components }) =>
      (components.includes(id) && (resolvedAt === null || resolvedAt >= since)) ||
      (!auto && resolvedAt === null && components.length === 0),
  );

/** The next step for a page, or null. */
export const decide = ({ settings, components, incidents, now, since }: Situation): Decision | null => {
  const open = incidents.find(({ auto, resolvedAt }) => auto && resolvedAt === null);
  const due = components.flatMap(({ id, down }) => {
    const start = ongoing(down);
    const isDue = start !== null && start >= since && start <= now - settings.after * MINUTE;
    return isDue && !isTold(incidents, id, start) ? [{ id, since: start }] : [];
  });
  if (due.length > 0)
    return open ? { kind: "add", incident: open, components: due } : { kind: "publish", components: due };
  if (!open) return null;
  const isBack = components
    .filter(({ id }) => open.components.includes(id))
    .every(({ measured }) => measured.every(({ to }) => to <= now - settings.resolve_after * MINUTE));
  return isBack ? { kind: "resolve", incident: open } : null;
};
