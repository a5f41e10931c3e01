import type { ComponentStatus, ComponentTarget } from "../../../../src/shared/status/components";
import type { NamedTarget } from "../../notifications/dependencies/api";
import type { Component } from "./api";

/** A component while it is edited. `key` tells components apart that are not saved yet. */
export type Draft = {
  key: number;
  id?: number;
  name: string;
  group: string;
  description: string;
  targets: readonly NamedTarget[];
  tag: string;
  mode: ComponentTarget["mode"];
  n: number;
  status: ComponentStatus | null;
  bar: boolean;
};

let keys = 0;

export const newDraft = (): Draft => ({
  ...{ key: ++keys, name: "", group: "", description: "", targets: [], tag: "" },
  ...{ mode: "all", n: 1, status: null, bar: true },
});

/** The components of a page that it composes itself. */
export const draftsOf = (components: readonly Component[]): Draft[] =>
  components
    .filter(({ listed }) => !listed)
    .map(({ id, name, group, description, targets, tag, mode, n, fixed_status, show }) => ({
      ...{ key: ++keys, id, name: name ?? "", group, description, targets, tag: tag ?? "", mode, n },
      ...{ status: fixed_status, bar: show === "bar" },
    }));

/** Components as the call that saves them takes them. */
export const bodyOf = (drafts: readonly Draft[]) =>
  drafts.map(({ id, name, group, description, targets, tag, mode, n, status, bar }) => {
    const idsOf = (type: NamedTarget["type"]) => targets.filter((one) => one.type === type).map((one) => one.id);
    return {
      ...(id !== undefined && { id }),
      ...{ name: name.trim() || null, group: group.trim(), description: description.trim() },
      ...{ monitors: idsOf("monitor"), agents: idsOf("agent"), tag: tag.trim() || null, mode, n },
      ...{ fixed_status: status, show: bar ? ("bar" as const) : ("none" as const) },
    };
  });

/** The name that a component will have. */
export const labelOf = ({ name, targets }: Draft): string => name.trim() || (targets[0]?.name ?? "");

/** The fields of a component that are missing. */
export const missingIn = ({ name, targets, tag, status }: Draft): ("name" | "targets")[] => [
  ...(name.trim() === "" && (targets.length !== 1 || tag.trim() !== "") ? (["name"] as const) : []),
  ...(targets.length === 0 && tag.trim() === "" && status === null ? (["targets"] as const) : []),
];

/** A list with the item at one place moved to another. */
export const move = <T>(items: readonly T[], from: number, to: number): T[] => {
  const item = items[from];
  return item === undefined || to < 0 || to >= items.length
    ? [...items]
    : items.toSpliced(from, 1).toSpliced(to, 0, item);
};
