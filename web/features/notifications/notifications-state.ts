import { atom } from "jotai";
import { resource } from "../../lib/resource";
import { sessionAtom } from "../../session";
import { type Delivery, listAgents, listMonitors, readHistory, readNotifications } from "./calls";
import type { Drafts } from "./rules/drafts";

export const notificationsAtom = resource(readNotifications);

/** What may have settings of its own. */
export const monitorsAtom = resource(listMonitors);
export const agentsAtom = resource(listAgents);

const leavesWithin = 30_000;

/** A message that has not been tried yet goes out within a moment; one that has to wait longer is not watched. */
const isLeaving = ({ state, attempts, created_at }: Pick<Delivery, "state" | "attempts" | "created_at">) =>
  state === "pending" && attempts === 0 && Date.now() - Date.parse(created_at) < leavesWithin;

export const historyAtom = resource(() => readHistory(), {
  soon: ({ events }) => events.some(({ deliveries }) => deliveries.some(isLeaving)),
});

const kept = atom<{ owner: number | undefined; drafts: Drafts }>({ owner: undefined, drafts: {} });

/** Unsaved edits outlive tabs, screens and refreshes, but are never shown to whoever signs in next. */
export const draftsAtom = atom(
  (get): Drafts => {
    const { owner, drafts } = get(kept);
    return owner === get(sessionAtom).user?.id ? drafts : {};
  },
  (get, set, drafts: Drafts) => set(kept, { owner: get(sessionAtom).user?.id, drafts }),
);
