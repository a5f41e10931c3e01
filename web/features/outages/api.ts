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
      entry.kind === "message" &&
      entry.message.deliveries.some(({ state, attempts }) => state === "pending" && attempts === 0),
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
