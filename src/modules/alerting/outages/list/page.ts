import type { Static } from "@sinclair/typebox";
import { and, eq, lt, or, type SQL } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { validation } from "../../../../core/errors";
import { readBelongings, type Viewer, visibleTo } from "../../../../db/owner";
import { outages } from "../../../../db/schema";
import { component, integer, list, nullable, oneOf, text } from "../../../../server/answers";
import { DELIVERY_ERROR_CODES } from "../../../../shared/notifications";
import { type OutageMessage, readMessages } from "../../history/messages";
import type { OutageFilter } from "../model";
import { OutageDetail, readNewest } from "../service";
import { matches } from "./filter";

/** Channels that a row names. */
const CHANNELS = 5;

/** Who was notified of an outage. */
const notifiedFields = {
  notified: list(
    text("A channel's name.", "On call"),
    "Channels that were notified, at most five, in the order of the messages; empty for targets of other users.",
  ),
  failed: integer("How many notifications were given up.", 0),
  withheld: nullable(
    oneOf("Why the first message that was not sent was withheld; null without one.", DELIVERY_ERROR_CODES),
    null,
  ),
};
export const ListedOutage = component("ListedOutage", { ...OutageDetail.properties, ...notifiedFields });
type Notified = Pick<Static<typeof ListedOutage>, keyof typeof notifiedFields>;

const presentNotified = (messages: readonly Static<typeof OutageMessage>[]): Notified => {
  const deliveries = messages.flatMap((message) => message.deliveries);
  const names = deliveries.filter(({ state }) => state === "sent").map(({ channel }) => channel.name);
  return {
    notified: [...new Set(names)].slice(0, CHANNELS),
    failed: deliveries.reduce((sum, { state, count }) => sum + (state === "failed" ? count : 0), 0),
    withheld: deliveries.find(({ state }) => state === "withheld")?.error_code ?? null,
  };
};

/** The condition that an outage is after another one in the list. @throws {AppError} validation for one that the viewer does not see */
const isAfter = async ({ db }: Pick<Deps, "db">, viewer: Viewer, id: number): Promise<SQL | undefined> => {
  const { startedAt } = outages;
  const [last] = await db
    .select({ startedAt })
    .from(outages)
    .where(and(eq(outages.id, id), visibleTo(outages, viewer)));
  if (!last) throw validation([{ path: "before", message: "before: expected the id of an outage of an earlier page" }]);
  return or(lt(startedAt, last.startedAt), and(eq(startedAt, last.startedAt), lt(outages.id, id)));
};

type Wanted = OutageFilter & { before?: number; limit?: number };

/**
 * A page of the outages that a viewer sees and a filter selects, newest first.
 * @throws {AppError} validation
 */
export const readOutages = async (
  deps: Pick<Deps, "db" | "clock">,
  viewer: Viewer,
  { before, limit = 50, ...filter }: Wanted,
): Promise<{ outages: Static<typeof ListedOutage>[]; next: number | null }> => {
  const condition = and(
    matches(viewer, filter, deps.clock.now()),
    before === undefined ? undefined : await isAfter(deps, viewer, before),
  );
  const page = await readNewest(deps, condition, limit);
  const own = page.filter(({ row }) => viewer.teams.has(row.teamId)).map(({ row }) => row.id);
  const messages = await readMessages(deps, own);
  const belonging = await readBelongings(
    deps,
    viewer,
    page.map(({ row }) => row),
  );
  const present = ({ outage, row }: (typeof page)[number]) => ({
    ...outage,
    ...belonging(row),
    ...presentNotified(messages.get(outage.id) ?? []),
  });
  return {
    outages: page.map(present),
    next: page.length === limit ? (page.at(-1)?.row.id ?? null) : null,
  };
};
