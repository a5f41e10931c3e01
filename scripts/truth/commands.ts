/** Commands to the world. */

/** How a target answers. */
type TargetState = "up" | "status" | "text" | "redirects" | "garbage" | "hang" | "slow" | "body" | "reset" | "closed";
/** How the name server answers for a name, or for all (`*`) that have no state of their own. */
export const NAMES: readonly string[] = ["no_name", "failing", "silent", "lie"];
export type State = TargetState | "no_name" | "failing" | "silent" | "lie";

type Report = { sample: object } & Record<string, unknown>;

export type Call =
  /** Sets the state of a target, by address and port, or of a name. */
  | { set: string; state: State }
  /** Repeats a request at an interval (ms), beginning now; null ends it. */
  | { repeat: string; every: number | null; url: string; key?: string; body?: Report };

/** Sends commands to the world through its socket. */
export const commander =
  (socket: string) =>
  async (call: Call): Promise<void> => {
    const answer = await fetch("http://world/", { unix: socket, method: "POST", body: JSON.stringify(call) });
    if (!answer.ok) throw new Error(`the world refused ${JSON.stringify(call)}`);
  };
