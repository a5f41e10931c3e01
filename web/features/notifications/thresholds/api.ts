import { api, payload } from "../../../api";
import { resource, resourceFamily } from "../../../lib/resource";

export type Threshold = Awaited<ReturnType<typeof listThresholds>>["thresholds"][number];
export type ThresholdBody = Parameters<typeof createThreshold>[0];

const listThresholds = (agent?: number) =>
  payload(api.thresholds.get({ query: { ...(agent !== undefined && { agent }) } }));

/** The viewer's own thresholds. */
export const thresholdsAtom = resource(() => listThresholds());

/** Those that count for a server, by its id. */
export const thresholdsOfAtom = resourceFamily((agent: number) => listThresholds(agent));

export const createThreshold = (body: Parameters<typeof api.thresholds.post>[0]) => payload(api.thresholds.post(body));

export const updateThreshold = (id: number, body: ThresholdBody) => payload(api.thresholds({ id }).put(body));

export const deleteThreshold = (id: number) => payload(api.thresholds({ id }).delete());
