import { MINUTE } from "../../../src/shared/limits";
import { isUndecided } from "../../../src/shared/outages/unsent-reasons";
import { api, isMissing, payload } from "../../api";
import { resourceFamily } from "../../lib/resource";
import { onChanges } from "../../live";

export type OutageAnswer = Awaited<ReturnType<typeof readOutage>>;
export type Outage = OutageAnswer["outage"];
export type Entry = OutageAnswer["timeline"][number];

const readOutage = (id: string) => payload(api.outages({ id }).get());

/** Whether a message of the outage is about to be sent. */
const awaitsMessage = ({ timeline }: OutageAnswer): boolean =>
  timeline.some(
    (entry) =>
      (entry.kind === "unsent" && entry.unsent_reason !== null && isUndecided(entry.unsent_reason)) ||
      (entry.kind === "message" &&
        entry.message.deliveries.some(({ state, attempts }) => state === "pending" && attempts === 0)),
  );

/** One outage with its timeline. While it is open, each check of its monitor changes it. */
export const outageAtom = resourceFamily((id: string) => readOutage(id), {
  every: 30_000,
  pollFast: awaitsMessage,
  isFinal: isMissing,
});

onChanges(({ monitors, outages }) => {
  if (monitors.length + outages.length > 0) outageAtom.refreshSoon();
});

/** Replaces the note of an outage; an empty text deletes it. */
export const writeNote = (id: number, text: string) => payload(api.outages({ id }).note.put({ text }));

/** The other outages that were open within this time before and after the beginning of one. */
const [BEFORE, AFTER] = [5 * MINUTE, 10 * MINUTE];
const ALONGSIDE = 10;

/** Other outages about the beginning of one; the key is its id and its beginning. */
export const alongsideAtom = resourceFamily(async (key: `${number} ${string}`) => {
  const [id, start = ""] = key.split(" ");
  const at = Date.parse(start);
  const span = { from: new Date(at - BEFORE).toISOString(), to: new Date(at + AFTER).toISOString() };
  const { outages } = await payload(api.outages.get({ query: { ...span, limit: ALONGSIDE + 2 } }));
  const others = outages.filter((other) => other.id !== Number(id));
  return { outages: others.slice(0, ALONGSIDE), isMore: others.length > ALONGSIDE };
});
