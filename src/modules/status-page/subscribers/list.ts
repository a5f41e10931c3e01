/** The subscribers of a page, as its owners see them. */

import type { Static } from "@sinclair/typebox";
import { and, asc, desc, eq, gt, isNotNull, isNull, type SQL } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { notFound } from "../../../core/errors";
import { ownedBy, seesSecrets, type Viewer } from "../../../db/owner";
import { statusPages, subscribers } from "../../../db/schema";
import { containsText } from "../../../db/sql";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { component, id, integer, list, nullable, oneOf, text, time } from "../../../server/answers";
import { LANGUAGES } from "../../../shared/language";
import { SUBSCRIBER_KINDS } from "../../../shared/status/subscribers";
import { recordChange } from "../../accounts/audit/record";
import { csvRow } from "../../alerting/outages/list/csv";
import type { PageRow } from "../pages/find";
import type { SubscribersQuery } from "./model";
import { countSubscribers, leave, readChoices, type SubscriberRow } from "./service";

type Store = Pick<Deps, "db" | "clock" | "log">;
type Caller = Viewer & { username: string };

export const SubscriberSchema = component("Subscriber", {
  id: id("The subscriber's id.", 7),
  kind: oneOf("How it gets messages.", SUBSCRIBER_KINDS),
  address: text("Its address; a part of it for members who may only read.", "dora@example.com"),
  components: nullable(
    list(text("The name of a component.", "Payments API"), "What it gets messages about; null for everything."),
    null,
  ),
  language: oneOf("The language of its mails.", LANGUAGES, "en-US"),
  created_at: time("When it was entered."),
  confirmed_at: nullable(time("When it was confirmed; null while it waits for that.")),
  failures: integer("Permanent refusals in a row.", 0),
  ended_at: nullable(time("When too many refusals have ended it."), null),
});
type Subscriber = Static<typeof SubscriberSchema>;

/** An address without what names a person, or the path of a webhook, which may hold a secret. */
const maskedAddress = ({ kind, address }: Pick<SubscriberRow, "kind" | "address">): string => {
  if (kind === "webhook") return `${new URL(address).origin}/••••`;
  const [name = "", domain = ""] = address.split(/@(?=[^@]*$)/);
  return `${[...name][0] ?? ""}•••@${domain}`;
};

/** @throws {AppError} not_found, also for another team's */
const findOwn = async ({ db }: Pick<Store, "db">, teamId: number, pageId: number): Promise<PageRow> => {
  const own = and(eq(statusPages.id, pageId), ownedBy(statusPages, teamId));
  const [page] = await db.select().from(statusPages).where(own);
  if (!page) throw notFound("Status page");
  return page;
};

/** Returns a function that presents subscribers of a page to a viewer. */
const presenterFor = async (store: Pick<Store, "db">, viewer: Viewer, page: PageRow) => {
  const names = new Map((await readChoices(store, page)).map(({ id, name }) => [id, name]));
  const isPlain = seesSecrets(viewer, page);
  return (row: SubscriberRow): Subscriber => ({
    ...{ id: row.id, kind: row.kind, address: isPlain ? row.address : maskedAddress(row) },
    components: row.components?.flatMap((id) => names.get(id) ?? []) ?? null,
    language: row.language,
    created_at: isoTime(row.createdAt),
    confirmed_at: isoTimeOrNull(row.confirmedAt),
    failures: row.failures,
    ended_at: isoTimeOrNull(row.endedAt),
  });
};

/** The subscribers of a page, the latest first. @throws {AppError} not_found */
export const listSubscribers = async (store: Store, viewer: Viewer, pageId: number, query: SubscribersQuery) => {
  const page = await findOwn(store, viewer.teamId, pageId);
  const { search = "", limit = 50, offset = 0 } = query;
  const found: (SQL | undefined)[] = [eq(subscribers.pageId, pageId)];
  // A viewer who does not see addresses does not find them either.
  if (search.trim() && seesSecrets(viewer, page)) found.push(containsText(subscribers.addressKey, search.trim()));
  const present = await presenterFor(store, viewer, page);
  const rows = await store.db
    .select()
    .from(subscribers)
    .where(and(...found))
    .orderBy(desc(subscribers.id))
    .limit(limit)
    .offset(offset);
  const unconfirmed = and(eq(subscribers.pageId, pageId), isNull(subscribers.confirmedAt));
  const ended = and(eq(subscribers.pageId, pageId), isNotNull(subscribers.endedAt));
  return {
    subscribers: rows.map(present),
    total: await store.db.$count(subscribers, and(...found)),
    counts: {
      ...(await countSubscribers(store, pageId)),
      unconfirmed: await store.db.$count(subscribers, unconfirmed),
      ended: await store.db.$count(subscribers, ended),
    },
  };
};

/** Rows that are read at once for a file. */
const EXPORTED_AT_ONCE = 1000;

/** All subscribers of a page as a CSV file. @throws {AppError} not_found */
export const exportSubscribers = async (store: Store, viewer: Viewer, pageId: number) => {
  const page = await findOwn(store, viewer.teamId, pageId);
  const present = await presenterFor(store, viewer, page);
  const columns = ["kind", "address", "components", "language", "created_at", "confirmed_at", "ended_at"] as const;
  const parts = [csvRow(columns)];
  for (let after = 0; ; ) {
    const rows = await store.db
      .select()
      .from(subscribers)
      .where(and(eq(subscribers.pageId, pageId), gt(subscribers.id, after)))
      .orderBy(asc(subscribers.id))
      .limit(EXPORTED_AT_ONCE);
    for (const one of rows.map(present))
      parts.push(
        csvRow(columns.map((column) => (column === "components" ? (one.components?.join(", ") ?? "") : one[column]))),
      );
    const last = rows.at(-1);
    if (!last || rows.length < EXPORTED_AT_ONCE) break;
    after = last.id;
  }
  return { name: `subscribers-${page.slug.replace(/[^a-z0-9_-]/g, "-")}.csv`, text: parts.join("") };
};

/** Deletes a subscriber with all that waits for it. @throws {AppError} not_found */
export const deleteSubscriber = (store: Store, caller: Caller, pageId: number, subscriberId: number): Promise<void> =>
  store.db.transact(async (tx) => {
    const page = await findOwn({ db: tx }, caller.teamId, pageId);
    const own = and(eq(subscribers.id, subscriberId), eq(subscribers.pageId, pageId));
    const [row] = await tx.select().from(subscribers).where(own);
    if (!row) throw notFound("Subscriber");
    await leave({ db: tx }, row.id);
    await recordChange({ ...store, db: tx }, caller, {
      action: "deleted",
      // The log is kept longer than the address.
      object: { type: "subscriber", id: row.id, name: maskedAddress(row) },
      teamId: page.teamId,
    });
  });
