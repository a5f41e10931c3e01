import { STATUS_LIMITS, type StatusGroup } from "../../shared/status-page";

/**
 * The groups with their `shown` ids; an id stays in the first group that names it. A group may still name an item that was
 * deleted or deselected. Names are trimmed, and groups beyond the limit are dropped.
 */
export const cleanGroups = (
  groups: readonly StatusGroup[],
  shown: { monitors: readonly number[]; agents: readonly number[] },
): StatusGroup[] => {
  const left = { monitors: new Set(shown.monitors), agents: new Set(shown.agents) };
  const take = (part: "monitors" | "agents", ids: readonly number[]) => ids.filter((id) => left[part].delete(id));
  return groups.slice(0, STATUS_LIMITS.groups).map(({ name, tag, monitors, agents }) => ({
    name: name.trim(),
    ...(tag?.trim() && { tag: tag.trim() }),
    monitors: take("monitors", monitors),
    agents: take("agents", agents),
  }));
};

/** Every id that the groups name, once. */
export const groupedIds = (groups: readonly StatusGroup[], part: "monitors" | "agents"): number[] => [
  ...new Set(groups.flatMap((group) => group[part])),
];
