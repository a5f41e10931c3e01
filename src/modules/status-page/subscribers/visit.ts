/** The view and the actions of the holder of a link. */
import { eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { statusPages, subscribers } from "../../../db/schema";
import type { Language } from "../../../shared/language";
import { canonicalSlug } from "../model";
import { languageOf, type PageRow } from "../pages/find";
import { choose, chosenIds, confirm, leave, readChoices, type SubscriberRow } from "./service";
import { manageToken, subscriberIdOf, verifyToken } from "./token";

type Store = Pick<Deps, "db" | "clock" | "config" | "jwtSecret" | "installationId">;

/** The link of a subscriber: the slug of the page, and the token. */
export type SubscriptionLink = { slug: string; token: string };

type Head = {
  page: PageRow;
  /** The language for visitors who ask for none. */
  language: Language;
};
export type Choice = { key: string; name: string; group: string; chosen: boolean };
type KnownVisit = Head & {
  state: "confirm" | "manage";
  subscriber: SubscriberRow;
  /** The token that stays valid. */
  token: string;
  choices: Choice[];
};
export type Visit = (Head & { state: "ended" | "expired" }) | KnownVisit;

/** Whether a link leads to a subscription. */
export const isKnown = (visit: Visit): visit is KnownVisit => visit.state === "confirm" || visit.state === "manage";

const readSubscriber = async (store: Store, page: PageRow, token: string) => {
  const id = subscriberIdOf(token);
  if (id === null) return null;
  const [subscriber] = await store.db.select().from(subscribers).where(eq(subscribers.id, id));
  // The link of another page does not count here.
  if (!subscriber || subscriber.pageId !== page.id) return null;
  const expiresAt = verifyToken(store, token, subscriber);
  return expiresAt === undefined
    ? null
    : { subscriber, isExpired: expiresAt !== null && expiresAt <= store.clock.now() };
};

/** A page without the title and logo of a private one, for visitors whose link is not valid. */
const shownToAll = (page: PageRow): PageRow => {
  if (page.access === "public") return page;
  return { ...page, title: page.titlePublic ? page.title : "", logoUrl: "" };
};

/** Reads the subscription of a link; null without a page. It changes nothing, because programs open the links in mails. */
export const readVisit = async (store: Store, { slug, token }: SubscriptionLink): Promise<Visit | null> => {
  const canonical = canonicalSlug(slug);
  const [page] = canonical ? await store.db.select().from(statusPages).where(eq(statusPages.slug, canonical)) : [];
  if (!page) return null;
  const found = await readSubscriber(store, page, token);
  if (!found) return { page: shownToAll(page), language: await languageOf(store, page), state: "ended" };
  const { subscriber, isExpired } = found;
  const { language, components, confirmedAt, endedAt } = subscriber;
  const isConfirmed = confirmedAt !== null && endedAt === null;
  if (isExpired && !isConfirmed) return { page, language, state: "expired" };
  const choices = (await readChoices(store, page)).map(({ id, ...choice }) => ({
    ...choice,
    chosen: components === null || components.includes(id),
  }));
  const state = isConfirmed ? "manage" : "confirm";
  return { page, language, state, subscriber, token: manageToken(store, subscriber), choices };
};

/** An action of a visitor. `keys` are the chosen components; undefined for all. */
export type VisitAction =
  | { kind: "confirm" }
  | { kind: "leave" }
  | { kind: "save"; keys: readonly string[] | undefined };

/**
 * Does what the holder of a link asks for.
 * @throws {AppError} validation
 */
export const act = async (store: Store, visit: Visit, action: VisitAction): Promise<void> => {
  if (!isKnown(visit)) return;
  const { id } = visit.subscriber;
  if (action.kind === "leave") return leave(store, id);
  if (action.kind === "confirm") return confirm(store, id);
  await choose(store, id, await chosenIds(store, visit.page, action.keys));
};
