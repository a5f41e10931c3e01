/** Who is notified of the monitors of Uptime Kuma, and the policies that repeated messages need. */
import { POLICY_LIMITS } from "../../../../shared/alert-policy";
import type { Item, ItemRule } from "../source";
import { numberIn, within } from "../text";
import type { KumaRows } from "./rows";

const { min, max } = POLICY_LIMITS.repeatMinutes;

/** The channels of each monitor, ascending, of those that become channels here. */
const channelsByMonitor = ({ monitor_notification }: KumaRows, taken: ReadonlySet<number>): Map<number, number[]> => {
  const byMonitor = new Map<number, Set<number>>();
  for (const row of monitor_notification) {
    const [monitor, channel] = [numberIn(row, "monitor_id"), numberIn(row, "notification_id")];
    if (monitor === null || channel === null || !taken.has(channel)) continue;
    byMonitor.set(monitor, (byMonitor.get(monitor) ?? new Set()).add(channel));
  }
  return new Map([...byMonitor].map(([id, channels]) => [id, [...channels].sort((a, b) => a - b)]));
};

/** Messages that are sent again every n checks while a monitor is down become a policy for each pair of channels and minutes. */
export const rulesOf = (
  rows: KumaRows,
  items: readonly Item[],
): { rules: Record<number, ItemRule>; policies: Item[] } => {
  const names = new Map<number, string>();
  for (const { part, content, name } of items)
    if (part === "channels" && content?.id !== undefined) names.set(content.id, name);
  const channels = channelsByMonitor(rows, new Set(names.keys()));
  const policies = new Map<string, Item & { content: { id: number } }>();
  const rules: Record<number, ItemRule> = {};
  for (const row of rows.monitor) {
    const id = numberIn(row, "id");
    if (id === null) continue;
    const own = channels.get(id) ?? [];
    const every = (numberIn(row, "resend_interval") ?? 0) * (numberIn(row, "interval") ?? 60);
    rules[id] = { channels: own, policy: null };
    if (every <= 0 || own.length === 0) continue;
    const minutes = within(every / 60, min, max);
    const key = `${own.join(",")} ${minutes}`;
    const policy = policies.get(key) ?? {
      part: "policies" as const,
      externalId: `policy:${key}`,
      name: `${own
        .map((one) => names.get(one))
        .join(", ")
        .slice(0, 60)} · ${minutes} min`,
      kind: "resend",
      content: {
        id: policies.size + 1,
        name: "",
        steps: [{ after_minutes: 0, channels: own.slice(0, POLICY_LIMITS.channelsPerStep) }],
        repeat_minutes: minutes,
      },
      notes: [],
    };
    policy.content = { ...policy.content, name: policy.name } as typeof policy.content;
    policies.set(key, policy);
    rules[id] = { channels: own, policy: policy.content.id };
  }
  return { rules, policies: [...policies.values()] };
};
