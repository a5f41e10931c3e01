import { createLog } from "../../core/log";
import { systemClock } from "../../lib/time";
import { probe as probeWith, type Target } from "../../probe/http/probe";
import { createOutbound } from "../../probe/outbound";

type Wanted = Partial<Target> & { url: string; allowPrivate?: boolean };

/** Completes the target of a check with defaults. */
export const targetOf = ({ allowPrivate = true, ...wanted }: Wanted): Target => ({
  method: "GET",
  headers: {},
  body: "",
  timeout: 60,
  expectedStatus: 200,
  caller: { key: "a test", lookups: 50, allowPrivate },
  ...wanted,
});

/** Connects like the product, with this machine's name servers. */
export const testOutbound = createOutbound({ clock: systemClock, log: createLog("silent", false, () => {}) });

/** One request of a check. */
export const probe = (target: Target) => probeWith(target, testOutbound);
