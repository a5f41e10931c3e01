import { useAtomValue } from "jotai";
import { nowAtom } from "../lib/now";
import { useFormat } from "./use-format";

/** "2 minutes ago", with the exact time on pointing. */
export function Ago({ time }: { time: string | number }) {
  const format = useFormat();
  const now = useAtomValue(nowAtom);
  const at = new Date(time).getTime();
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {format.ago(Math.min(at, now), now)}
    </time>
  );
}
