import type { OutageKind } from "../../../../src/shared/notifications";
import { OUTAGE_KINDS } from "../../../../src/shared/notifications";
import { OUTAGES } from "../../../../src/shared/outages/kinds";
import { api, payload } from "../../../api";
import { type Range, rangeIn, timesOf } from "../../../lib/day-range";
import { browserTimeZone } from "../../../lib/format";
import { resourceFamily } from "../../../lib/resource";
import { onChanges } from "../../../live";
import { tagQuery } from "../../../ui/lists/paging";

/** The kinds of outages as the list is filtered by them. */
export const GROUPS = ["all", "down", "offline", "limits", "parts", "dates"] as const;
export type Group = (typeof GROUPS)[number];

const GROUP_OF: Record<(typeof OUTAGES)[OutageKind]["phases"][0], Exclude<Group, "all">> = {
  down: "down",
  slow: "down",
  offline: "offline",
  backup: "limits",
  unwatched: "offline",
  high: "limits",
  filling: "limits",
  traffic: "limits",
  burning: "limits",
  spent: "limits",
  failed: "parts",
  expiring: "dates",
  ending: "dates",
};
const kindsOf = (group: Group): OutageKind[] =>
  OUTAGE_KINDS.filter((kind) => GROUP_OF[OUTAGES[kind].phases[0]] === group);

/** The selection of outages on the page. */
export type Filter = {
  range: Range;
  group: Group;
  tags: readonly string[];
  /** `monitor:` or `agent:` and its id. */
  target: string | null;
  channel: number | null;
  unacknowledged: boolean;
};

/** The filter in an address. */
export const filterIn = (text: string): Filter => {
  const search = new URLSearchParams(text);
  const channel = Number(search.get("channel"));
  const target = search.get("target");
  return {
    range: rangeIn(search),
    group: GROUPS.find((name) => name === search.get("kind")) ?? "all",
    tags: search.getAll("tag"),
    target: target && /^(monitor|agent):[1-9]\d{0,14}$/.test(target) ? target : null,
    channel: Number.isSafeInteger(channel) && channel > 0 ? channel : null,
    unacknowledged: search.get("acknowledged") === "0",
  };
};

/** The search of an address that shows a filter; empty for the usual one. */
export const searchOf = ({ range, group, tags, target, channel, unacknowledged }: Filter): string => {
  const search = new URLSearchParams();
  if (!("preset" in range)) {
    search.set("from", range.from);
    search.set("to", range.to);
  } else if (range.preset !== "week") search.set("range", range.preset);
  if (group !== "all") search.set("kind", group);
  for (const tag of tags) search.append("tag", tag);
  if (target) search.set("target", target);
  if (channel) search.set("channel", String(channel));
  if (unacknowledged) search.set("acknowledged", "0");
  return search.toString();
};

/** A filter as the API takes it. Without a range where its dates are in the wrong order. */
const queryOf = ({ range, group, tags, target, channel, unacknowledged }: Filter) => ({
  ...timesOf(range, new Date()),
  ...(group !== "all" && { kind: kindsOf(group).join(",") }),
  ...tagQuery([...tags]),
  ...(target && { target }),
  ...(channel && { channel }),
  ...(unacknowledged && { acknowledged: "0" as const }),
});

/** The most open outages on the page, and the size of a page of ended ones. */
const [OPEN, PAGE] = [100, 50];

export type ListedOutage = Awaited<ReturnType<typeof readPage>>["outages"][number];
export type Summary = Awaited<ReturnType<typeof readSummary>>;

/** A page of the ended outages of a filter. */
export const readPage = (filter: Filter, before?: number) =>
  payload(
    api.outages.get({ query: { ...queryOf(filter), open: "0", limit: PAGE, ...(before !== undefined && { before }) } }),
  );

const readSummary = async (filter: Filter) => {
  const query = { ...queryOf(filter), zone: browserTimeZone() };
  return (await payload(api.outages.summary.get({ query }))).summary;
};

const readFirst = async (filter: Filter) => {
  const query = { ...queryOf(filter), open: "1" as const, limit: OPEN };
  const [open, ended] = await Promise.all([payload(api.outages.get({ query })), readPage(filter)]);
  return { open: open.outages, isMoreOpen: open.next !== null, ended: ended.outages, next: ended.next };
};

/** The open outages of a filter and the first ended ones. The key is the search of an address. */
export const listAtom = resourceFamily((search: string) => readFirst(filterIn(search)), { every: 30_000 });
/** The totals of a filter. */
export const summaryAtom = resourceFamily((search: string) => readSummary(filterIn(search)), { every: 60_000 });

onChanges(({ outages }) => {
  if (outages.length === 0) return;
  listAtom.refreshSoon();
  summaryAtom.refreshSoon();
});

/** The name of a monitor or server, by `monitor:` or `agent:` and its id. */
export const targetAtom = resourceFamily(
  async (target: string) => {
    const [type, id = ""] = target.split(":");
    if (type === "monitor") return (await payload(api.monitors({ id }).get({ query: { history: 0 } }))).monitor.name;
    const { agent } = await payload(api.agents({ id }).get());
    return agent.name || agent.hostname;
  },
  { every: null },
);

/** The text of the file with the outages of a filter. */
export const readExport = async (filter: Filter, format: "csv" | "json"): Promise<string> => {
  const answer: unknown = await payload(api.outages.export.get({ query: { ...queryOf(filter), format } }));
  return typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
};
