import { api, payload } from "../../../api";
import { resourceFamily } from "../../../lib/resource";

export type Budget = NonNullable<Awaited<ReturnType<typeof findObjective>>["objective"]>;
export type ObjectiveBody = Pick<Budget, "target" | "period" | "alerts">;

const findObjective = (id: number | string) => payload(api.monitors({ id }).objective.get());

/** The objective that counts for a monitor, with its error budget. The overview refreshes it with the monitor. */
export const objectiveAtom = resourceFamily((id: number) => findObjective(id), { every: null });

export const setObjective = (id: number, body: ObjectiveBody) => payload(api.monitors({ id }).objective.put(body));
export const removeObjective = (id: number) => payload(api.monitors({ id }).objective.delete());
export const setTagObjective = (id: number, body: ObjectiveBody) => payload(api.tags({ id }).objective.put(body));
export const removeTagObjective = (id: number) => payload(api.tags({ id }).objective.delete());
