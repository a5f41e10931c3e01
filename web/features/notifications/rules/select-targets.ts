import type { TargetType } from "../../../../src/shared/alerts";
import type { Agent, Monitor } from "../calls";
import { type Settings, settingOf, type TargetKey } from "./setting";

/** A monitor or an agent, as far as it matters for its settings. `about` is what else it can be found by. */
export type Target = { key: TargetKey; id: number; name: string; about: string };
export const filters = ["all", "own"] as const;
export type Filter = (typeof filters)[number];

const keyOf = (kind: TargetType, id: number): TargetKey => `${kind}:${id}`;

export const monitorTargets = (monitors: readonly Pick<Monitor, "id" | "name" | "target">[]): Target[] =>
  monitors.map(({ id, name, target }) => ({ key: keyOf("monitor", id), id, name, about: target }));

export const agentTargets = (agents: readonly Pick<Agent, "id" | "name" | "hostname">[]): Target[] =>
  agents.map(({ id, name, hostname }) => ({ key: keyOf("agent", id), id, name, about: hostname }));

export const hasOwn = (settings: Settings, { key }: Target) => settingOf(settings, key).overrideGlobal;

/** By word and filter, in order of their names. `isOwn` tells what has settings of its own, saved or not. */
export const selectTargets = (
  targets: readonly Target[],
  { search, filter, isOwn }: { search: string; filter: Filter; isOwn: (target: Target) => boolean },
): Target[] => {
  const word = search.trim().toLowerCase();
  return targets
    .filter((target) => filter === "all" || isOwn(target))
    .filter(({ name, about }) => `${name}\n${about}`.toLowerCase().includes(word))
    .sort((one, other) => one.name.localeCompare(other.name) || one.id - other.id);
};
