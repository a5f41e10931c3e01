import { MINUTE } from "../shared/limits";

/** The setting of a page in tests. */
export const AUTO_SETTINGS = {
  ...{ after: 5, title: "{{component}} is down", body: "Since {{since}} we look into **{{component}}**." },
  ...{ resolve_after: 3, resolved_body: "It is over, after {{duration}}." },
};

/** A plain model of the automatic incidents of one page, in memory, minute by minute. Tests compare it with the hub. */
export const createIncidentModel = (count: number) => {
  type Incident = {
    names: Set<number>;
    auto: boolean;
    open: boolean;
    updates: [string, number, string][];
    endedAt: number;
  };
  const downSince: (number | null)[] = Array.from({ length: count }, () => null);
  const quietUntil = Array.from({ length: count }, () => 0);
  const muted = Array.from({ length: count }, () => false);
  const lastBad = Array.from({ length: count }, () => Number.NEGATIVE_INFINITY);
  const list: Incident[] = [];
  return {
    list,
    fail: (index: number, time: number) => {
      downSince[index] ??= time;
    },
    recover: (index: number, time: number) => {
      if (downSince[index] !== null) lastBad[index] = time;
      downSince[index] = null;
    },
    maintain: (index: number, until: number) => {
      quietUntil[index] = Math.max(quietUntil[index] ?? 0, until);
    },
    mute: (index: number, isMuted: boolean) => {
      muted[index] = isMuted;
    },
    write: (place: number, status: string, time: number) => {
      const incident = list[place] as Incident;
      incident.auto = false;
      incident.open = status !== "resolved";
      incident.endedAt = incident.open ? Number.NaN : time;
      incident.updates.push([status, time, "bob"]);
    },
    tick: (time: number) => {
      const due = downSince.flatMap((since, index) => {
        if (since === null || muted[index] || (quietUntil[index] ?? 0) > time) return [];
        const from = Math.max(since, quietUntil[index] ?? 0);
        if (time - from < AUTO_SETTINGS.after * MINUTE) return [];
        const isTold = list.some(({ names, open, endedAt }) => names.has(index) && (open || endedAt >= from));
        return isTold ? [] : [index];
      });
      const open = list.find(({ auto, open }) => auto && open);
      if (due.length > 0 && open) for (const index of due) open.names.add(index);
      else if (due.length > 0) {
        const updates: Incident["updates"] = [["investigating", time, ""]];
        list.push({ names: new Set(due), auto: true, open: true, updates, endedAt: Number.NaN });
      } else if (
        open &&
        [...open.names].every(
          (index) => downSince[index] === null && time - (lastBad[index] ?? 0) >= AUTO_SETTINGS.resolve_after * MINUTE,
        )
      ) {
        open.open = false;
        open.endedAt = time;
        open.updates.push(["resolved", time, ""]);
      }
    },
  };
};
