import { useAtomValue } from "jotai";
import { useEffect, useState } from "react";
import { arrivalsAtom } from "../agents-state";
import type { Agent } from "../calls";

/** The agents that enrolled since the guide was opened, the newest first. */
export const useArrivals = (): Agent[] => {
  const { data, loadedAt } = useAtomValue(arrivalsAtom);
  const [openedAt] = useState(() => Date.now());
  const [known, setKnown] = useState<ReadonlySet<number>>();

  // What was loaded at an earlier visit is not what was there when this one began.
  const fresh = data && loadedAt !== undefined && loadedAt >= openedAt ? data.agents : undefined;
  useEffect(() => {
    if (fresh) setKnown((before) => before ?? new Set(fresh.map(({ id }) => id)));
  }, [fresh]);

  return known && fresh ? fresh.filter(({ id }) => !known.has(id)).reverse() : [];
};
