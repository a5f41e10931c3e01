import { isBroken, type OutageKind } from "../../../src/shared/notifications";
import type { Tone } from "../../ui/feedback/badge";

/** The tone of an open outage of a kind: other problems than that something does not work are amber. */
export const outageTone = (kind: OutageKind): Tone => (isBroken(kind) ? "down" : "degraded");

/** The shape that marks an outage of a kind. */
export const outageMark = (kind: OutageKind): Tone | "offline" => {
  if (kind === "offline") return kind;
  if (kind === "unwatched") return "unknown";
  return outageTone(kind);
};
