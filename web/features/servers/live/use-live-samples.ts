import { useEffect, useState } from "react";
import type { LiveSample } from "../../../../src/shared/live";
import { api, payload } from "../../../api";
import { onSamples } from "../../../live";
import { type Arrived, withSample } from "./ring";

/** Time until the hub is asked again (ms): it asks the agent for 35 s at a time. */
const RENEW = 20_000;
/** Time until a silent stream counts as ended (ms). */
const SILENCE = 6000;

/** `waiting`: asked for a moment ago. `off`: none arrive, so that the figures of reports are the latest. */
type LiveState = "waiting" | "live" | "off";

const watch = (id: number): Promise<LiveSample | null> =>
  payload(api.agents({ id }).live.get()).then(
    ({ sample }) => sample,
    // The page shows by its other calls what is wrong.
    () => null,
  );

/** The samples of a server, a second apart, while the page is visible. */
export const useLiveSamples = (id: number): { state: LiveState; ring: readonly Arrived[] } => {
  const [ring, setRing] = useState<readonly Arrived[]>([]);
  const [state, setState] = useState<LiveState>("waiting");

  useEffect(() => {
    let [renewal, silence]: ReturnType<typeof setTimeout>[] = [];
    let isOver = false;

    const expectSample = () => {
      clearTimeout(silence);
      silence = setTimeout(() => setState("off"), SILENCE);
    };
    const take = (sample: LiveSample) => {
      if (isOver || document.hidden || sample.id !== id) return;
      setRing((before) => withSample(before, sample, Date.now()));
      setState("live");
      expectSample();
    };
    const renew = async () => {
      clearTimeout(renewal);
      if (isOver || document.hidden) return;
      renewal = setTimeout(renew, RENEW);
      await watch(id);
    };
    const begin = () => {
      clearTimeout(silence);
      if (document.hidden) return;
      setState("waiting");
      expectSample();
      void renew();
    };

    const end = onSamples(take);
    document.addEventListener("visibilitychange", begin);
    begin();
    return () => {
      isOver = true;
      end();
      document.removeEventListener("visibilitychange", begin);
      clearTimeout(renewal);
      clearTimeout(silence);
    };
  }, [id]);

  return { state, ring };
};
