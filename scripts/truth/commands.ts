/** Commands to the world. */

/** How a target answers. */
type TargetState = "up" | "status" | "text" | "redirects" | "garbage" | "hang" | "slow" | "body" | "reset" | "closed";
/** The certificate of a target with TLS that is up otherwise. */
export const CERTIFICATES = ["expired", "wrong_name"] as const;
type CertificateState = (typeof CERTIFICATES)[number];
/** How the name server answers for a name, or for all (`*`) that have no state of their own. */
export const NAMES: readonly string[] = ["no_name", "failing", "silent", "lie"];
export type State = TargetState | CertificateState | "no_name" | "failing" | "silent" | "lie";

type Report = { sample: object } & Record<string, unknown>;

/** A request to the first of some addresses that accepts it: a job's ping, or an agent's report with its key. */
export type Sign = { urls: string[]; key?: string; body?: Report };

export type Call =
  /** Sets the state of a target, by address and port, or of a name. */
  | { set: string; state: State }
  | { send: Sign }
  /** Repeats a sign at an interval (ms), beginning now; null ends it. */
  | { repeat: string; every: number; sign: Sign }
  | { repeat: string; every: null };

/** A certificate and its key in PEM, for each state of a target with TLS. */
export type Certificates = Record<CertificateState | "valid", { cert: string; key: string }>;

/** The targets at the start of the world. Ports 443 speak TLS. */
export type Beginning = {
  socket: string;
  targets: { address: string; port: number }[];
  certificates: Certificates | null;
};

/** Sends commands to the world through its socket. */
export const commander =
  (socket: string) =>
  async (call: Call): Promise<void> => {
    const answer = await fetch("http://world/", { unix: socket, method: "POST", body: JSON.stringify(call) });
    if (!answer.ok) throw new Error(`the world refused ${JSON.stringify(call)}`);
  };
