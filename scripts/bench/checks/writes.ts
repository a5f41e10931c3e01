import { measureChecks } from "./checks";

/** Bytes written to disk for each check, at 50 checks a second over 1,000 monitors. */
export const bench = (): Promise<object> => measureChecks({ monitors: 1000, interval: 20, seconds: 120 });
