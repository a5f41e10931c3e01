import type { TargetType } from "../../../../src/shared/notifications";
import type { Monitor, Server } from "../api";
import type { Muted } from "../mute/mute-menu";
import { type Settings, settingOf, type TargetKey } from "./drafts";

/** A monitor or an agent with settings. `about` is a second text that the search matches. */
export type Target = { key: TargetKey; id: number; name: string; about: string; muted: Muted | null };
export const filters = ["all", "own"] as const;
export type Filter = (typeof filters)[number];

const keyOf = (kind: TargetType, id: number): TargetKey => `${kind}:${id}`;

export const monitorTargets = (monitors: readonly Pick<Monitor, "id" | "name" | "target" | "muted">[]): Target[] =>
  monitors.map(({ id, name, target, muted }) => ({ key: keyOf("monitor", id), id, name, about: target, muted }));

export const serverTargets = (agents: readonly Pick<Server, "id" | "name" | "hostname" | "muted">[]): Target[] =>
  agents.map(({ id, name, hostname, muted }) => ({ key: keyOf("agent", id), id, name, about: hostname, muted }));

/** Whether a target has stored settings of its own. */
export const hasOwn = (settings: Settings, { key }: Target) => settingOf(settings, key).overrideGlobal;

/** The targets that match the search and the filter, sorted by name. `isOwn` includes unsaved settings. */
export const selectTargets = (
  targets: readonly Target[],
  { search, filter, isOwn }: { search: string; filter: Filter; isOwn: (target: Target) => boolean },
): Target[] => {
  const query = search.trim().toLowerCase();
  return targets
    .filter((target) => filter === "all" || isOwn(target))
    .filter(({ name, about }) => `${name}\n${about}`.toLowerCase().includes(query))
    .sort((one, other) => one.name.localeCompare(other.name) || one.id - other.id);
};
