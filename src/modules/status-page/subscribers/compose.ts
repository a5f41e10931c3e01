/** Writes the messages of one run of the sender. What several of them need is read once. */
import { eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { subscribers } from "../../../db/schema";
import type { DeliveryResult } from "../../alerting/channels/kind";
import type { PooledMail } from "../../alerting/channels/kinds/mail/pool";
import { domainOf } from "../../alerting/channels/kinds/mail/smtp";
import { linkBase } from "../../alerting/messages/message";
import { addressOf, pathOf } from "../pages/address";
import type { PageRow } from "../pages/find";
import { pageName, type Reader, type Written, writeNotice, writeOwn } from "./mail";
import { type Notice, OF_USE } from "./queue";
import type { SubscriberRow } from "./service";
import { readPageById, readSubject, type Subject } from "./subjects";
import { CONFIRM_AGE, confirmToken, manageToken, signingSecret } from "./token";
import { componentMessage, confirmation, incidentMessage, postWebhook } from "./webhook";

type Composed = { channel: "email"; mail: PooledMail } | { channel: "webhook"; post: () => Promise<DeliveryResult> };

/** Keeps what `read` returns for each key. */
const once = <Key, Value>(read: (key: Key) => Promise<Value>) => {
  const kept = new Map<Key, Promise<Value>>();
  return (key: Key): Promise<Value> => {
    const found = kept.get(key) ?? read(key);
    kept.set(key, found);
    return found;
  };
};

/** The address below a page where a subscriber changes or ends the subscription. */
const subscriptionLink = (address: string, token: string): string => `${address}/subscription/${token}`;

/** The address in `Name <address>`, or the text itself. */
const senderAddress = (from: string): string => /<([^>]+)>\s*$/.exec(from)?.[1] ?? from.trim();

type Parts = {
  deps: Deps;
  notice: Notice;
  subscriber: SubscriberRow;
  page: PageRow;
  reader: Reader;
  subject: Subject | null;
};

/** The thread of a mail: all mails about an incident, or about one time of maintenance. */
const threadOf = (subject: Subject, page: PageRow): string =>
  subject.type === "incident"
    ? `${page.key}-${subject.incident.publicKey}`
    : `${page.key}-maintenance-${subject.announcement.windowId}-${subject.from}`;

const mailOf = ({ deps, notice, subscriber, page, reader, subject }: Parts, written: Written): PooledMail => {
  const from = senderAddress(deps.config.mail?.from ?? "");
  const domain = domainOf(from);
  return {
    from: { name: reader.page, address: from },
    to: subscriber.address,
    subject: written.subject.replace(/\s+/g, " "),
    ...{ text: written.text, html: written.html },
    messageId: `<notice-${notice.id}-${notice.createdAt}@${domain}>`,
    ...(subject && { references: `<${threadOf(subject, page)}@${domain}>` }),
    headers: {
      "auto-submitted": "auto-generated",
      "x-auto-response-suppress": "All",
      "list-id": `<${page.key}.${domain}>`,
      // RFC 8058: mail clients unsubscribe with one request.
      ...(subject && {
        "list-unsubscribe": `<${reader.manage}>`,
        "list-unsubscribe-post": "List-Unsubscribe=One-Click",
      }),
    },
  };
};

const bodyOf = ({ deps, notice, page, reader, subject, subscriber }: Parts, base: string): Promise<object | null> => {
  const options = { page, documentation: `${base}/api/docs`, manage: reader.manage };
  if (notice.kind === "confirm") return confirmation(deps, options, signingSecret(deps, subscriber));
  if (!subject) return Promise.resolve(null);
  return notice.kind === "component"
    ? componentMessage(deps, subject, notice.part, options)
    : incidentMessage(deps, subject, options);
};

export type Composer = ReturnType<typeof createComposer>;

/** Returns a function that writes messages. It returns null for a message that is of no use any more. */
export const createComposer = (deps: Deps) => {
  const baseOf = once((_: "") => linkBase(deps));
  const pageOf = once(async (id: number) => {
    const page = await readPageById(deps, id);
    return page && { page, address: (await addressOf(deps, page)) || pathOf(page.slug) };
  });
  const subjectOf = once((id: number) => readSubject(deps, id));
  return async (notice: Notice): Promise<Composed | null> => {
    const { subscriberId, announcementId, kind, createdAt, attempts, channel } = notice;
    const age = deps.clock.now() - createdAt;
    if (age > OF_USE) return null;
    const [subscriber] = await deps.db.select().from(subscribers).where(eq(subscribers.id, subscriberId));
    const read = subscriber ? await pageOf(subscriber.pageId) : null;
    const subject = announcementId === null ? null : await subjectOf(announcementId);
    if (!subscriber || !read || (announcementId !== null && !subject)) return null;
    const { page, address } = read;
    const base = await baseOf("");
    const reader = {
      language: subscriber.language,
      page: pageName(page.title, subscriber.language),
      address,
      manage: subscriptionLink(address, manageToken(deps, subscriber)),
    };
    const parts = { deps, notice, subscriber, page, reader, subject };
    if (channel === "webhook") {
      const body = await bodyOf(parts, base);
      if (!body) return null;
      const event = kind === "confirm" ? "subscription" : kind === "component" ? "component_update" : "incident";
      const message = { url: subscriber.address, secret: signingSecret(deps, subscriber), event, body };
      const key = `wakeful-notice-${notice.id}-${createdAt}`;
      const post = () => postWebhook(deps, { ...message, key, pageId: page.id, number: attempts + 1, age });
      return { channel, post };
    }
    if (subject) return { channel, mail: mailOf(parts, writeNotice(subject, reader)) };
    const token = confirmToken(deps, subscriber, createdAt + CONFIRM_AGE);
    const written =
      kind === "confirm"
        ? writeOwn("confirm", subscriptionLink(address, token), reader)
        : writeOwn("manage", reader.manage, reader);
    return { channel, mail: mailOf(parts, written) };
  };
};
