/**
 * Decides whether targets that fail are down, whether the hub's own network is lost, or whether names lead to wrong addresses,
 * while no target shows that the network works. The evidence, strongest first: the host of a channel that answers; the default
 * gateway that is silent; hosts of channels that are silent; the name servers. Where all failures are of names, and a target was reached by
 * its address, the name servers alone are evidence.
 */
import { MINUTE } from "../../../../shared/limits";

/**
 * What asking something near the hub or outside says. It is `unknown` where there is nothing to ask, and where it never
 * answered, so that its silence means nothing.
 */
export type Witness = "answers" | "silent" | "unknown";

export type Witnesses = { gateway: Witness; nameServers: Witness; channels: Witness };

export type Observed = Witnesses & {
  /** When the first failure was held. */
  since: number;
  /** Whether every failure is an answer, such as a status, so that something was reached. */
  answered: boolean;
  /** Whether a target was ever reached since the start. */
  everReached: boolean;
  /** Whether all failures are of names, and a target was reached by its address after them. */
  onlyNames: boolean;
  /** Networks of targets that were reached before or fail, and how many of them fail since a target was last reached. */
  networks: number;
  failing: number;
  /** How often healthy targets and the witnesses were asked since the first failure. */
  rounds: number;
};

/**
 * `targets`: they are down. `own`: the hub's network is lost. `names`: its name servers are wrong, so that nothing is known
 * of targets by name. `open`: held, and asked again.
 */
export type Verdict = "targets" | "own" | "names" | "open";

/** This many unrelated networks that fail at once make the hub's own network suspect. */
export const UNRELATED = 3;
/** The longest time until a verdict (ms). With the seconds of the last answers it is a minute. */
export const HOLD = MINUTE - 8000;
/**
 * The loss of the own network is decided when it was found this often in a row, so that a short cut is only waited for. So are
 * failures of unrelated networks: a cut may have ended after targets were asked and before witnesses were.
 */
const ROUNDS = 2;

/** Returns the verdict of the evidence alone, without the limits on rounds and time. */
const weigh = ({ gateway, nameServers, channels, networks, failing, everReached, onlyNames }: Observed): Verdict => {
  if (onlyNames) return nameServers === "silent" ? "names" : "targets";
  const many = networks >= UNRELATED;
  if (many && channels === "answers") return "targets";
  if (gateway === "silent") return "own";
  if (!many) {
    if (nameServers === "silent") return "own";
    // After a start nothing is known about what normally answers, so that others may fail, too.
    return everReached || nameServers === "answers" ? "targets" : "open";
  }
  if (failing < UNRELATED) return "targets";
  if (nameServers === "answers") return channels === "silent" ? "open" : "targets";
  return channels === "silent" || nameServers === "silent" ? "own" : "open";
};

/** Whether the evidence of a round says that the own network is lost, although not for long enough to decide it. */
export const seemsCut = (observed: Observed): boolean => weigh(observed) === "own";

export const decide = (observed: Observed, now: number): Verdict => {
  const { since, rounds, networks, failing, answered, onlyNames } = observed;
  if (answered && networks < UNRELATED) return "targets";
  if (rounds === 0) return "open";
  const verdict = weigh(observed);
  const mayBeCut = failing >= UNRELATED && !answered && !onlyNames;
  if (verdict === "targets" && !mayBeCut) return verdict;
  // The clock may have been set back.
  const isOver = now - since >= HOLD || now < since;
  if (verdict !== "open") return rounds >= ROUNDS || isOver ? verdict : "open";
  if (!isOver) return "open";
  return networks >= UNRELATED ? "own" : "targets";
};
