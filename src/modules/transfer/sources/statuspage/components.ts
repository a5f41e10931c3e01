/** The components of a foreign status page, with the groups that they are in. */
import { COMPONENT_STATUSES, type ComponentStatus, PAGE_LIMITS } from "../../../../shared/status/components";
import { TAG_LIMITS } from "../../../../shared/tags";
import { clean, type Fields, flagIn, numberIn, recordOf, textOf } from "../text";

export const listIn = (fields: Fields, name: string): Fields[] => {
  const value = fields[name];
  return Array.isArray(value) ? value.map(recordOf) : [];
};

/** The id of an object: a short text. */
export const idOf = (fields: Fields): string => clean(fields.id, 100);

/** The objects of a list with an id, each once. */
export const distinct = (list: readonly Fields[]): Fields[] => [
  ...new Map(list.flatMap((one) => (idOf(one) === "" ? [] : [[idOf(one), one] as const]))).values(),
];

/** A time in milliseconds since the epoch and not in the future; null for anything else. */
export const pastIn = (fields: Fields, name: string, now: number): number | null => {
  const time = Date.parse(textOf(fields, name));
  return Number.isFinite(time) && time >= 0 ? Math.min(time, now) : null;
};

/** The key of an object, where it may be one here. */
export const keyIn = (fields: Fields): { key?: string } =>
  /^[a-z0-9]{12}$/.test(idOf(fields)) ? { key: idOf(fields) } : {};

export type ForeignComponent = {
  id: string;
  /** With its group and the number among equal ones, it names the component in incidents. */
  place: { page: number; name: string; group: string; nth: number };
  status: ComponentStatus;
  description: string;
  key?: string;
  createdAt: number | null;
};

/** The status of a component; null for an unknown one. */
export const statusOf = (fields: Fields): ComponentStatus | null =>
  COMPONENT_STATUSES.find((status) => status === fields.status) ?? null;

/** The components of a page without its groups, in the order of Statuspage. A group within a group is left out. */
export const readForeign = (summary: Fields, page: number, now: number): ForeignComponent[] => {
  const all = distinct(listIn(summary, "components"));
  const isGroup = (one: Fields) => flagIn(one, "group");
  const groups = new Map(all.filter(isGroup).map((one) => [idOf(one), one]));
  const groupOf = (one: Fields): Fields | undefined => groups.get(clean(one.group_id, 100));
  const places = (one: Fields) => {
    const group = groupOf(one);
    return [numberIn(group ?? one, "position") ?? 0, group ? (numberIn(one, "position") ?? 0) : -1];
  };
  const seen = new Map<string, number>();
  return all
    .filter((one) => !isGroup(one))
    .map((one, index) => ({ one, index, place: places(one) }))
    .toSorted(
      (a, b) => (a.place[0] ?? 0) - (b.place[0] ?? 0) || (a.place[1] ?? 0) - (b.place[1] ?? 0) || a.index - b.index,
    )
    .flatMap(({ one }) => {
      const name = clean(one.name, PAGE_LIMITS.name);
      if (name === "") return [];
      const group = clean(groupOf(one)?.name, PAGE_LIMITS.name);
      const nth = (seen.get(JSON.stringify([group, name])) ?? 0) + 1;
      seen.set(JSON.stringify([group, name]), nth);
      return [
        {
          ...{ id: idOf(one), place: { page, name, group, nth }, status: statusOf(one) ?? "operational" },
          ...{ description: clean(one.description, PAGE_LIMITS.description), ...keyIn(one) },
          createdAt: pastIn(one, "created_at", now),
        },
      ];
    });
};

/** The tag that stands for a component in maintenance: monitors that get it belong to the component. */
export const tagOf = ({ place: { name } }: ForeignComponent): string =>
  `status:${clean(name.replaceAll(":", "-"), TAG_LIMITS.value)}`;
