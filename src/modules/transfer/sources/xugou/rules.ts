/** Who is notified of the monitors of xugou: a setting of its own before that for all monitors of its user. */
import type { Item, ItemRule } from "../source";
import { type Fields, flagIn, jsonIn, numberIn, textOf } from "../text";
import type { XugouRows } from "./rows";

const channelsOf = (setting: Fields, taken: ReadonlySet<number>): number[] => {
  const sent = jsonIn(setting, "channels");
  const ids = (Array.isArray(sent) ? sent : []).map(Number).filter((id) => taken.has(id));
  return [...new Set(ids)].sort((one, other) => one - other);
};

export const rulesOf = (
  { monitors, notification_settings }: XugouRows,
  channels: readonly Item[],
): Record<number, ItemRule> => {
  const taken = new Set(channels.flatMap(({ content }) => content?.id ?? []));
  const enabled = notification_settings.filter((row) => flagIn(row, "enabled") && flagIn(row, "on_down"));
  const keyOf = (user: unknown, type: string, id: unknown) => `${user} ${type} ${type === "monitor" ? id : ""}`;
  const byTarget = new Map(
    enabled.map((row) => [keyOf(row.user_id, textOf(row, "target_type"), row.target_id), channelsOf(row, taken)]),
  );
  const rules: Record<number, ItemRule> = {};
  for (const row of monitors) {
    const id = numberIn(row, "id");
    if (id === null) continue;
    const own = byTarget.get(keyOf(row.created_by, "monitor", id));
    rules[id] = { channels: own ?? byTarget.get(keyOf(row.created_by, "global-monitor", "")) ?? [], policy: null };
  }
  return rules;
};
