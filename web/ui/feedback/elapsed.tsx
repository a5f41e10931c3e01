import { useAtomValue } from "jotai";
import { useEffect, useState } from "react";
import { aheadAtom } from "../../lib/now";
import { useFormat } from "../hooks/use-format";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Seconds since a time, by the hub's clock: counted each second under a minute, then at each full minute. */
export const useElapsed = (since: string): number => {
  const begun = Date.parse(since);
  const [now, setNow] = useState(Date.now);
  const passed = Math.max(0, now + useAtomValue(aheadAtom) - begun);
  useEffect(() => {
    const step = passed < MINUTE ? SECOND : MINUTE;
    const timer = setTimeout(() => setNow(Date.now()), step - (passed % step));
    return () => clearTimeout(timer);
  }, [passed]);
  return Math.floor(passed / SECOND);
};

/** How long something lasts already: "2 h 46 min". */
export function Elapsed({ since }: { since: string }) {
  return <time dateTime={since}>{useFormat().elapsed(useElapsed(since))}</time>;
}
