/** Servers of other products: they are created before their machines enroll, with tags, the traffic plan and the contract. */
import { PLAN_LIMITS, type TrafficMode } from "../../../../shared/agents/server-plan";
import { LIMITS } from "../../../../shared/limits";
import { TAG_LIMITS, tagKey } from "../../../../shared/tags";
import type { Item, Note } from "../source";
import { clean, note, within } from "../text";

/** The currencies of signs; dollars and yen or yuan by their most frequent meaning among rented servers. */
const CURRENCIES: Record<string, string> = {
  ...{ $: "USD", "¥": "CNY", "￥": "CNY", 元: "CNY", RMB: "CNY", "€": "EUR", "£": "GBP", "₽": "RUB", "₣": "CHF" },
  ...{ "₹": "INR", "₫": "VND", "฿": "THB", "₩": "KRW", HK$: "HKD", NT$: "TWD", S$: "SGD", A$: "AUD", C$: "CAD" },
};

/** The ISO code of a currency by its sign or code; empty for an unknown one. */
const currencyOf = (text: string): string => {
  const sign = text.trim().toUpperCase();
  return CURRENCIES[sign] ?? (/^[A-Z]{3}$/.test(sign) ? sign : "");
};

/** The date at the start of a text, if contracts may have it. */
const dateIn = (text: string): string | null => {
  const date = /^20\d\d-\d\d-\d\d/.exec(text)?.[0] ?? "";
  const at = Date.parse(date);
  // A day that its month does not have would be one of the next month.
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(date) ? date : null;
};

export type Billing = {
  /** The date or time of the end. */
  ends: string;
  price: number | null;
  /** Its sign or code. */
  currency: string;
  months: number;
  isRenewed: boolean;
  remark: string;
};

/** A contract here, which has an end. */
const contractOf = ({ ends, price, currency, months, isRenewed, remark }: Billing) => {
  const [endsOn, code] = [dateIn(ends), currencyOf(currency)];
  const isPriced = price !== null && price > 0;
  const notes: Note[] = [];
  if (isPriced && (endsOn === null || code === "")) notes.push(note("field_left_out", `price ${price} ${currency}`));
  if (endsOn === null) {
    if (remark !== "") notes.push(note("field_left_out", "remark"));
    return { contract: null, notes };
  }
  if (isRenewed) notes.push(note("field_left_out", "automatic renewal"));
  const priced = isPriced && code !== "" ? { price: Math.min(price, PLAN_LIMITS.price), currency: code } : {};
  const period = within(months || 12, 1, PLAN_LIMITS.months);
  return {
    contract: { ends_on: endsOn, ...priced, months: period, note: clean(remark, PLAN_LIMITS.note) },
    notes,
  };
};

/** A plan that counts a quota from the first of the month, because these products do not say the day. */
const trafficOf = (bytes: number, mode: TrafficMode) =>
  bytes >= 1
    ? {
        traffic: { quota: within(bytes, 1, PLAN_LIMITS.quota), reset_day: 1, zone: "UTC", mode },
        notes: [note("reset_day_unknown")],
      }
    : { traffic: null, notes: [] };

type Server = {
  id: number;
  /** The product's word for it. */
  kind: string;
  externalId: string;
  name: unknown;
  group?: unknown;
  tags?: readonly unknown[];
  traffic?: { bytes: number; mode: TrafficMode };
  billing?: Billing;
};

export const serverItem = ({
  id,
  kind,
  externalId,
  name: sentName,
  group,
  tags = [],
  traffic,
  billing,
}: Server): Item => {
  const name = clean(sentName, LIMITS.monitorName) || `server ${id}`;
  const value = clean(group, TAG_LIMITS.value);
  const named = tags.map((tag) => clean(tag, TAG_LIMITS.name).replaceAll(":", "-").trim()).filter((tag) => tag !== "");
  const all = [...(value === "" ? [] : [{ name: "group", value }]), ...named.map((tag) => ({ name: tag }))];
  const distinct = [...new Map(all.map((tag) => [tagKey(tag.name), tag])).values()];
  const contract = billing ? contractOf(billing) : { contract: null, notes: [] };
  const counted = traffic ? trafficOf(traffic.bytes, traffic.mode) : { traffic: null, notes: [] };
  const plan = {
    ...(counted.traffic && { traffic: counted.traffic }),
    ...(contract.contract && { contract: contract.contract }),
  };
  return {
    ...{ part: "agents", externalId, name, kind },
    content: {
      // The machine says its host name when it enrolls.
      ...{ id, name, hostname: name, tags: distinct.slice(0, TAG_LIMITS.perTarget) },
      ...(Object.keys(plan).length > 0 && { plan }),
    },
    notes: [
      ...contract.notes,
      ...counted.notes,
      ...(distinct.length > TAG_LIMITS.perTarget ? [note("tags_left_out")] : []),
    ],
  };
};

/** An object without a counterpart here. */
export const otherItem = (externalId: string, sentName: unknown, kind: string): Item => {
  const name = clean(sentName, LIMITS.monitorName) || kind;
  return {
    part: "other",
    externalId,
    name,
    kind,
    content: null,
    notes: [note("object_unsupported", `${kind} ${name}`)],
  };
};
