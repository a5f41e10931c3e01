import { teamsOf, type Viewer } from "../../db/owner";
import type { LiveChange, LiveCounts } from "../../shared/live";

/** Targets whose latest event is kept. */
const MAX_KEPT = 10_000;

/** The scope of a stream: the ids of the teams that it is about, in order, or ALL_TEAMS. */
export type Scope = string;
export const ALL_TEAMS: Scope = "all";

export const scopeOf = (viewer: Viewer): Scope =>
  teamsOf(viewer)
    ?.toSorted((a, b) => a - b)
    .join() ?? ALL_TEAMS;

export type Entry = {
  seq: number;
  /** The team whose members see it, as administrators do; counts are seen by the streams of their scope. */
  owner: number | Scope;
  event: string;
  status: string | null;
  changed: boolean;
  text: string;
};

type Recorded = LiveChange | { event: "counts"; scope: Scope; changed?: boolean; data: LiveCounts };

/** Whether a scope has a team. */
export const isOf = (scope: Scope, teamId: number): boolean =>
  scope === ALL_TEAMS || scope.split(",").includes(String(teamId));

/** Whether the streams of a scope show an event. */
export const isSeenBy = ({ owner }: Entry, scope: Scope): boolean =>
  typeof owner === "string" ? owner === scope : isOf(scope, owner);

/** An event in the format of server-sent events. One without an id is not missed by a page that reconnects. */
export const eventText = (id: string | null, event: string, data: unknown): string =>
  `${id === null ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * The latest event of each target, in order, for pages that reconnect. The oldest are dropped; a page that last saw an event
 * before them has to load everything again.
 */
export const createLiveLog = (instance: string, max = MAX_KEPT) => {
  const entries = new Map<string, Entry>();
  let seq = 0;
  /** Events up to this one may be missing. */
  let dropped = 0;

  const idOf = (of: number): string => `${instance}-${of}`;

  return {
    /** The id of the latest event. */
    latest: (): string => idOf(seq),

    /** The status of a target, as of its latest event. */
    statusOf: ({ event, data }: LiveChange): string | null | undefined => entries.get(`${event} ${data.id}`)?.status,

    add: (change: Recorded): Entry => {
      const { event, data, changed = false } = change;
      const owner = event === "counts" ? change.scope : change.teamId;
      const key = `${event} ${event === "counts" ? owner : data.id}`;
      const status = "status" in data ? data.status : null;
      const entry = { seq: ++seq, owner, event, status, changed, text: eventText(idOf(seq), event, data) };
      // Deleting first moves the target to the end.
      entries.delete(key);
      entries.set(key, entry);
      if (entries.size > max) {
        const [oldest] = entries;
        if (oldest) {
          dropped = oldest[1].seq;
          entries.delete(oldest[0]);
        }
      }
      return entry;
    },

    /** Events after this id that a scope sees, or null if some may be missing. */
    since: (id: string, scope: Scope): Entry[] | null => {
      const [, of, text] = /^([\w-]{1,64})-(\d{1,15})$/.exec(id) ?? [];
      const from = Number(text);
      if (of !== instance || from < dropped || from > seq) return null;
      return [...entries.values()].filter((entry) => entry.seq > from && isSeenBy(entry, scope));
    },

    /** Drops everything: nothing is recorded while no page is open. */
    clear: (): void => {
      entries.clear();
      dropped = ++seq;
    },
  };
};
