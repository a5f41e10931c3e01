import type { TargetType } from "../../../../src/shared/notifications";
import { api, listCompact, payload } from "../../../api";
import { resourceFamily } from "../../../lib/resource";

type Target = { type: TargetType; id: number };
/** A monitor or server with its name. */
export type NamedTarget = Target & { name: string };
export type RelatedTarget = Awaited<ReturnType<typeof readDependencies>>["parents"][number];

export const keyOf = ({ type, id }: Target): `${TargetType} ${number}` => `${type} ${id}`;

const routeOf = ({ type, id }: Target) => (type === "monitor" ? api.monitors({ id }) : api.agents({ id })).dependencies;

export const readDependencies = (target: Target) => payload(routeOf(target).get());

/** Replaces what a target depends on. */
export const saveParents = (target: Target, parents: readonly Target[]) =>
  payload(routeOf(target).put({ parents: parents.map(({ type, id }) => ({ type, id })) }));

/** The parents and children of a target. */
export const dependenciesAtom = resourceFamily((key: `${TargetType} ${number}`) => {
  const [type, id] = key.split(" ");
  return readDependencies({ type: type as TargetType, id: Number(id) });
});

/** How many monitors and how many servers are offered. */
const OFFERED = 6;
/** The longest search that the server accepts. */
const SEARCH_LENGTH = 200;

/** The monitors and servers that the server finds; `mine`: only the viewer's own, for administrators. */
export const findTargets = async (text: string, mine: boolean): Promise<NamedTarget[]> => {
  const query = { limit: OFFERED, search: text.slice(0, SEARCH_LENGTH), ...(mine && { mine: "1" as const }) };
  const [monitors, servers] = await Promise.all([
    listCompact({ history: 0, ...query }),
    payload(api.agents.get({ query })),
  ]);
  return [
    ...monitors.monitors.map(({ id, name }) => ({ type: "monitor" as const, id, name })),
    ...servers.agents.map(({ id, name, hostname }) => ({ type: "agent" as const, id, name: name || hostname })),
  ];
};
