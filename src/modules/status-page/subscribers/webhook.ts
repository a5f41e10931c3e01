/** Messages to webhooks of subscribers, in the form of Atlassian Statuspage. */
import type { Deps } from "../../../core/deps";
import { isoTime } from "../../../lib/time";
import { signatureOf, webhook } from "../../alerting/channels/kinds/webhook";
import { postForVisitor } from "../../alerting/channels/send";
import type { PageRow } from "../pages/find";
import { derivedKey } from "../statuspage/components";
import { maintenanceKey, presentMaintenance } from "../statuspage/maintenances";
import { readStatuspage } from "../statuspage/statuspage";
import type { Subject } from "./subjects";

/** Fields that Statuspage sends with an incident, and that nothing here corresponds to. */
const UNUSED = { backfilled: false, impact_override: null, scheduled_auto_completed: false } as const;

type All = NonNullable<Awaited<ReturnType<typeof readStatuspage>>>;

type Options = {
  page: PageRow;
  /** The addresses of the API documentation and of the link to manage the subscription. */
  documentation: string;
  manage: string;
};

/** The common parts of all messages. Null where the page is no longer published. */
const readHead = async (store: Parameters<typeof readStatuspage>[0], { page, documentation, manage }: Options) => {
  const all = await readStatuspage(store, page.slug);
  if (!all) return null;
  const { indicator, description } = all.status;
  return {
    all,
    head: {
      meta: { unsubscribe: manage, documentation },
      page: { id: page.key, status_indicator: indicator, status_description: description },
    },
  };
};

/** The first message to an address: its answer confirms the subscription. */
export const confirmation = async (
  store: Parameters<typeof readStatuspage>[0],
  options: Options,
  secret: string,
): Promise<object | null> => {
  const read = await readHead(store, options);
  return read && { ...read.head, subscription: { state: "confirming", signing_secret: secret } };
};

/** A change of maintenance: the page may not list it any more, or with another beginning. */
const changedMaintenance = ({ all }: { all: All }, subject: Subject, page: PageRow, now: number) => {
  if (subject.type !== "maintenance" || (subject.stage !== "changed" && subject.stage !== "cancelled"))
    return undefined;
  const { title, from, to, stage, announcement } = subject;
  const components = subject.components.flatMap(({ id }) => all.byRow.get(id) ?? []);
  const cancelled = stage === "cancelled" && { cancelledAt: announcement.createdAt };
  const { windowId, createdAt } = announcement;
  const times = { scheduled: from, from, to, createdAt, updatedAt: createdAt };
  const shown = { windowId: windowId ?? 0, title, ...times, components };
  return presentMaintenance(page, shown, { url: all.page.url, now, ...cancelled });
};

/** A message about an update or a maintenance; null where the page does not list it any more. */
export const incidentMessage = async (
  store: Parameters<typeof readStatuspage>[0],
  subject: Subject,
  options: Options,
): Promise<object | null> => {
  const read = await readHead(store, options);
  if (!read) return null;
  const { incidents, maintenances } = read.all;
  const key =
    subject.type === "incident"
      ? subject.incident.publicKey
      : maintenanceKey(options.page, subject.announcement.windowId ?? 0, subject.from);
  const found =
    changedMaintenance(read, subject, options.page, store.clock.now()) ??
    [...incidents, ...maintenances].find(({ id }) => id === key);
  return found ? { ...read.head, incident: { ...UNUSED, ...found } } : null;
};

/** A message about the new state of one component; null where the page does not show it. */
export const componentMessage = async (
  store: Parameters<typeof readStatuspage>[0],
  subject: Subject,
  part: number,
  options: Options,
): Promise<object | null> => {
  const change = subject.announcement.changes[part];
  const read = await readHead(store, options);
  if (!read || !change) return null;
  const component = read.all.byRow.get(change.id);
  if (!component) return null;
  const { id, createdAt } = subject.announcement;
  return {
    ...read.head,
    component_update: {
      ...{ created_at: isoTime(createdAt), old_status: change.from, new_status: change.to },
      ...{ id: derivedKey(`change ${options.page.key} ${id} ${part}`), component_id: component.id },
    },
    component,
  };
};

type Delivery = {
  url: string;
  secret: string;
  /** Stays the same when a message is sent again. */
  key: string;
  /** `incident`, `component_update` or `subscription`. */
  event: string;
  body: object;
  pageId: number;
  /** The number of this attempt from 1, and the milliseconds since the message was written. */
  number: number;
  age: number;
};

/** Sends a message with the signature that webhook channels have. */
export const postWebhook = (
  deps: Pick<Deps, "outbound" | "config" | "clock">,
  { url, secret, key, event, body, pageId, number, age }: Delivery,
) => {
  const [text, now] = [JSON.stringify(body), deps.clock.now()];
  const headers = {
    "x-wakeful-event": event,
    "x-wakeful-delivery": key,
    "x-wakeful-signature": signatureOf([secret], text, now),
  };
  const attempt = { key, now, number, age, config: deps.config };
  return postForVisitor(deps, { url, headers, body: text, visitorOf: pageId }, (reply) =>
    webhook.verdict(reply, attempt),
  );
};
