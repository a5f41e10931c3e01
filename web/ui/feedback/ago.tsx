import { atom, useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { useHydrated } from "../../lib/hooks/use-hydrated";
import { useFormat } from "../hooks/use-format";

/** The current time in ms since 1970, for "2 minutes ago": one timer for all components that show it. Written without a value, it is read from the clock. */
const clock = atom(Date.now());
export const nowAtom = atom(
  (get) => get(clock),
  (_get, set, time?: number) => set(clock, time ?? Date.now()),
);
nowAtom.onMount = (tick) => {
  tick();
  const timer = setInterval(tick, 5000);
  return () => clearInterval(timer);
};

const moment = 5000;

/** "2 minutes ago", updated as time passes. */
export const useAgo = (time: string | number) => {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useAtomValue(nowAtom);
  const at = new Date(time).getTime();
  return now - at < moment ? t("common.justNow") : format.ago(at, now);
};

/** A relative time with the exact time as its tooltip. */
export function Ago({ time }: { time: string | number }) {
  const format = useFormat();
  // The exact time is in the viewer's zone, and the words are those of the viewer's browser.
  const title = useHydrated() ? format.dateTime(time) : undefined;
  return (
    <time dateTime={new Date(time).toISOString()} title={title} suppressHydrationWarning>
      {useAgo(time)}
    </time>
  );
}
