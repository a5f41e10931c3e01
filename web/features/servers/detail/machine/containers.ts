import type { Container } from "../../../../../src/shared/agents/report";
import type { Tone } from "../../../../ui/feedback/badge";

/** States that have words of their own; others are shown as the engine names them. */
const STATES = ["running", "exited", "restarting", "paused", "created", "dead"] as const;
type ContainerState = (typeof STATES)[number];
export const toContainerState = (state: string): ContainerState | undefined => STATES.find((known) => known === state);

/** How a container is: broken now, stopped with a failure, stopped on purpose, or well. */
export const toneOf = ({ state, health, exit_status }: Container): Tone => {
  if (state === "dead" || state === "restarting" || (state === "running" && health === "unhealthy")) return "down";
  if (state === "running") return health === "starting" ? "pending" : "up";
  return exit_status ? "degraded" : "paused";
};

const ORDER: readonly Tone[] = ["down", "degraded", "pending", "up", "paused"];

/** Those with problems first, then by name. */
export const sortContainers = (containers: readonly Container[]): Container[] =>
  containers.toSorted(
    (a, b) => ORDER.indexOf(toneOf(a)) - ORDER.indexOf(toneOf(b)) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );

export const isBroken = (container: Container): boolean => toneOf(container) === "down";
