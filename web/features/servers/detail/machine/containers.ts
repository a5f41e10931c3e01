import type { Container } from "../../../../../src/shared/agents/report";
import type { Tone } from "../../../../ui/feedback/badge";
import type { ServerDetail } from "../../api";

/** States that have words of their own; others are shown as the engine names them. */
const STATES = ["running", "exited", "restarting", "paused", "created", "dead"] as const;
type ContainerState = (typeof STATES)[number];
export const toContainerState = (state: string): ContainerState | undefined => STATES.find((known) => known === state);

/** Containers with an open alert, by their names. */
export type Alerting = ReadonlySet<string>;

/** The containers of a server with an open alert. */
export const alertingOf = ({ outages }: Pick<ServerDetail, "outages">): Alerting =>
  new Set(
    outages.flatMap(({ kind, ended_at, subject }) =>
      kind === "container" && ended_at === null && subject !== null ? [subject] : [],
    ),
  );

export const isBroken = (container: Container, alerting: Alerting): boolean => toneOf(container, alerting) === "down";

/** How a container is: broken or with an alert, starting, well, or stopped without an alert. */
export const toneOf = ({ name, state, health }: Container, alerting: Alerting): Tone => {
  if (alerting.has(name) || state === "dead" || state === "restarting") return "down";
  if (state === "running") return health === "unhealthy" ? "down" : health === "starting" ? "pending" : "up";
  return "paused";
};

/** Whether a container failed before the hub saw it run: then there is no alert. */
export const isFailedUnseen = (container: Container, alerting: Alerting): boolean =>
  Boolean(container.exit_status) && toneOf(container, alerting) === "paused";

const ORDER: readonly Tone[] = ["down", "pending", "up", "paused"];

/** Those with problems first, then by name. */
export const sortContainers = (containers: readonly Container[], alerting: Alerting): Container[] => {
  const placeOf = (container: Container): number => ORDER.indexOf(toneOf(container, alerting));
  return containers.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
};
