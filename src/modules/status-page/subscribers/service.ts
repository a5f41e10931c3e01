/** Subscriptions of visitors: made, confirmed, changed and ended. */
import { and, eq, isNull, sql } from "drizzle-orm";
import {
  assertNotRefused,
  claimAttempt,
  isExceeded,
  type Limit,
  limitKey,
  networkLimits,
} from "../../../cluster/rate-limit";
import type { Deps } from "../../../core/deps";
import { AppError, notFound, validation } from "../../../core/errors";
import { notices, statusPages, subscribers } from "../../../db/schema";
import { lock, lockRowsLightly } from "../../../db/sql";
import { isWebAddress } from "../../../shared/channel-fields";
import type { Language } from "../../../shared/language";
import { HOUR } from "../../../shared/limits";
import { SUBSCRIBER_LIMITS as LIMITS, type NoticeKind, type SubscriberKind } from "../../../shared/status/subscribers";
import { networksOf } from "../../accounts/client-address";
import { canonicalSlug } from "../model";
import { readComponents } from "../pages/components";
import { findPublished, type PageRow } from "../pages/find";
import type { SubscribeBody } from "./model";

type Store = Pick<Deps, "db" | "clock" | "config">;
export type SubscriberRow = typeof subscribers.$inferSelect;

/** Whether pages offer mails: these need a mail server, and the public address for their links. */
export const offersMail = ({ config }: Pick<Deps, "config">): boolean =>
  config.mail !== null && config.publicUrl !== "";

/** The published page of an address. @throws {AppError} not_found */
export const findSubscribable = async (store: Pick<Deps, "db">, slug: string | undefined): Promise<PageRow> => {
  const canonical = slug === undefined ? undefined : canonicalSlug(slug);
  const page = canonical === null ? null : await findPublished(store, canonical);
  if (!page || page.updatedAt === null) throw notFound("Status page");
  return { ...page, updatedAt: page.updatedAt };
};

/** The components of a page that a visitor may choose. */
export const readChoices = async (store: Pick<Deps, "db">, page: PageRow) =>
  (await readComponents(store, page))
    .filter(({ label }) => label !== "")
    .map(({ row, label, group }) => ({ id: row.id, key: row.key, name: label, group }));

/** The ids of chosen components; null for all. @throws {AppError} validation */
export const chosenIds = async (store: Pick<Deps, "db">, page: PageRow, keys: readonly string[] | undefined) => {
  if (keys === undefined) return null;
  const known = new Map((await readChoices(store, page)).map(({ id, key }) => [key, id]));
  const ids = keys.map((key, index) => {
    const id = known.get(key);
    const path = `components.${index}`;
    if (id === undefined) throw validation([{ path, message: `${path}: the page has no component with this key` }]);
    return id;
  });
  return ids.length > 0 ? [...new Set(ids)] : null;
};

/** @throws {AppError} validation */
const addressOf = ({ email, url }: SubscribeBody): Pick<SubscriberRow, "kind" | "address" | "addressKey"> => {
  const refuse = (path: string, message: string) => validation([{ path, message: `${path}: ${message}` }]);
  if ((email === undefined) === (url === undefined)) throw refuse("email", "expected either email or url");
  if (email !== undefined) return { kind: "email", address: email, addressKey: email.toLowerCase() };
  const address = url?.trim() ?? "";
  if (!isWebAddress(address))
    throw refuse("url", "expected an http:// or https:// address without a user name and password");
  const { href } = new URL(address);
  return { kind: "webhook", address: href, addressKey: href };
};

/** Subscriptions of one client, and of a page. */
const clientLimits = (address: string): Limit[] =>
  networkLimits(networksOf(address).all, LIMITS.perClient, (network) => limitKey("subscribe", network)).map(
    (limit) => ({
      ...limit,
      window: HOUR,
    }),
  );
const pageLimit = (pageId: number): Limit => ({
  key: limitKey("subscribe", "page", pageId),
  allowed: LIMITS.perPage,
  window: HOUR,
});
/** Mails that visitors can make the hub send to an address, which may be someone else's. */
const mailLimit = (pageId: number, addressKey: string): Limit => ({
  key: limitKey("subscription mail", pageId, addressKey),
  allowed: LIMITS.perAddress,
  window: HOUR,
});

const newNonce = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString("base64url");

/** Puts a message about a subscription into the queue, unless one waits already. */
const queueOwn = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { id, kind }: Pick<SubscriberRow, "id" | "kind">,
  notice: NoticeKind,
): Promise<void> => {
  const isWaiting = and(eq(notices.subscriberId, id), isNull(notices.announcementId));
  if ((await db.$count(notices, isWaiting)) > 0) return;
  const times = { createdAt: clock.now(), dueAt: clock.now() };
  await db.insert(notices).values({ subscriberId: id, channel: kind, kind: notice, part: 0, ...times });
};

type Wish = Pick<SubscriberRow, "pageId" | "kind" | "address" | "addressKey" | "components" | "language">;

/** Stores a subscription, or finds the present one of its address. @throws {AppError} too_many_subscribers */
const store = (deps: Store, wish: Wish): Promise<SubscriberRow> =>
  deps.db.transact(async (tx) => {
    const { pageId, addressKey, components, language } = wish;
    // Two subscriptions at once wait for each other here, and are counted.
    await lock(tx, lockRowsLightly(statusPages, statusPages.id, eq(statusPages.id, pageId)));
    if ((await tx.$count(statusPages, eq(statusPages.id, pageId))) === 0) throw notFound("Status page");
    if ((await tx.$count(subscribers, eq(subscribers.pageId, pageId))) >= LIMITS.subscribers)
      throw new AppError("too_many_subscribers");
    const own = and(eq(subscribers.pageId, pageId), eq(subscribers.addressKey, addressKey));
    const [stored] = await tx.select().from(subscribers).where(own);
    const now = deps.clock.now();
    if (stored?.confirmedAt != null && stored.endedAt === null) return stored;
    // A subscription that has ended, or waits for its confirmation, begins again with the present wish.
    const begun = { components, language, createdAt: now, confirmedAt: null, endedAt: null, failures: 0 };
    const [row] = stored
      ? await tx.update(subscribers).set(begun).where(eq(subscribers.id, stored.id)).returning()
      : await tx
          .insert(subscribers)
          .values({ ...wish, ...begun, nonce: newNonce() })
          .returning();
    return row as SubscriberRow;
  });

type Caller = { address: string; language: Language };

/**
 * Subscribes an address to a page. It gets a message that confirms the subscription; a confirmed address gets one with the
 * link to manage it. The answer does not tell them apart.
 * @throws {AppError} validation, rate_limited, no_mail_subscriptions, too_many_subscribers
 */
export const subscribe = async (deps: Store, page: PageRow, body: SubscribeBody, caller: Caller): Promise<void> => {
  const sent = addressOf(body);
  if (sent.kind === "email" && !offersMail(deps)) throw new AppError("no_mail_subscriptions");
  const components = await chosenIds(deps, page, body.components);
  const limits = clientLimits(caller.address);
  assertNotRefused(deps, [...limits, pageLimit(page.id)]);
  // A client that is refused does not use up the limit of the page.
  await claimAttempt(deps, limits);
  await claimAttempt(deps, [pageLimit(page.id)]);
  const row = await store(deps, { pageId: page.id, ...sent, components, language: body.language ?? caller.language });
  const isConfirmed = row.confirmedAt !== null;
  if (isConfirmed && row.kind === "webhook") return;
  if (await isExceeded(deps, mailLimit(page.id, row.addressKey))) return;
  await queueOwn(deps, row, isConfirmed ? "manage" : "confirm");
};

/** Confirms a subscription; a second time changes nothing. */
export const confirm = async ({ db, clock }: Pick<Deps, "db" | "clock">, id: number): Promise<void> => {
  await db
    .update(subscribers)
    .set({ confirmedAt: clock.now() })
    .where(and(eq(subscribers.id, id), isNull(subscribers.confirmedAt)));
};

/** Changes what a subscriber gets. */
export const choose = async ({ db }: Pick<Deps, "db">, id: number, components: number[] | null): Promise<void> => {
  await db.update(subscribers).set({ components }).where(eq(subscribers.id, id));
};

/** Ends a subscription and deletes its address with all that waits for it. */
export const leave = async ({ db }: Pick<Deps, "db">, id: number): Promise<void> => {
  await db.delete(subscribers).where(eq(subscribers.id, id));
};

/** How many subscribers of a page get its notices, by their kind. */
export const countSubscribers = async (
  { db }: Pick<Deps, "db">,
  pageId: number,
): Promise<Record<SubscriberKind, number>> => {
  const rows = await db
    .select({ kind: subscribers.kind, count: sql<number>`count(*)`.mapWith(Number) })
    .from(subscribers)
    .where(
      and(eq(subscribers.pageId, pageId), sql`${subscribers.confirmedAt} is not null`, isNull(subscribers.endedAt)),
    )
    .groupBy(subscribers.kind);
  return { email: 0, webhook: 0, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) };
};
