import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { SECOND } from "../../../src/shared/limits";
import { Elapsed } from "../../ui/feedback/elapsed";
import { useFormat } from "../../ui/hooks/use-format";
import { hubUnknownAtom } from "../problems/api";
import type { Outage } from "./api";

type Started = Pick<Outage, "kind" | "error_code" | "started_at"> & Partial<Pick<Outage, "started_after">>;
export type Times = Started & Pick<Outage, "ended_at">;

/** Starts and durations that are known more exactly are shown as one (ms). */
const EXACT = 10 * SECOND;

/** The last good sign before an outage that began at an unknown time after it; null where its start is exact. */
const afterOf = ({ kind, error_code, started_at, started_after = null }: Started): number | null => {
  const isExact = (kind !== "down" && kind !== "offline") || error_code?.startsWith("heartbeat");
  if (isExact || started_after === null) return null;
  const after = Date.parse(started_after);
  return Date.parse(started_at) - after > EXACT ? after : null;
};

/** Whether the beginning of an outage is only known as a range. */
export const isRange = (outage: Started): boolean => afterOf(outage) !== null;

type StartProps = {
  outage: Times /** To the minute. */;
  short?: boolean /** As words, not as a time alone. */;
  words?: boolean;
};

/** When an outage began; "between 06:40 and 06:41" where it is known less exactly, in short "~06:41". */
export function Start({ outage, short = false, words = false }: StartProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { started_at } = outage;
  const after = afterOf(outage) ?? started_at;
  const textOf = ([from, to]: readonly [string, string]) => {
    if (from === to) return words ? t("problems.since", { time: to }) : to;
    return t(words ? "problems.beganBetween" : "outages.between", { from, to });
  };
  const full = textOf(format.dateTimes(after, started_at));
  if (!short) return <time dateTime={started_at}>{full}</time>;
  const [from, to] = format.shortDateTimes(after, started_at);
  const [time] = format.shortDateTimes(started_at, started_at);
  return (
    <time dateTime={started_at} title={full}>
      {from === to ? time : <Approximate text={t("problems.about", { time })} range={textOf([from, to])} />}
    </time>
  );
}

/** A time that is known less exactly; screen readers get its range. */
function Approximate({ text, range }: { text: string; range: string }) {
  return (
    <>
      <span aria-hidden="true">{text}</span>
      <span className="visually-hidden">{range}</span>
    </>
  );
}

/** The start of an open outage in words, to the minute: "since ~06:41" where it is known less exactly, with the range as its title. */
export function Since({ outage }: { outage: Started }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { started_at } = outage;
  const text = useSince()(outage);
  const [from, to] = format.moments(afterOf(outage) ?? started_at, started_at);
  if (from === to) return text;
  const about = t("problems.about", { time: format.moment(started_at) });
  return (
    <time dateTime={started_at} title={text}>
      <Approximate text={t("problems.since", { time: about })} range={text} />
    </time>
  );
}

/**
 * When an outage began, to the minute, as words: "since 06:41", or "began between 06:40 and 06:41" where it is known less
 * exactly. `now` is a time of the hub.
 */
export const useSince = (): ((outage: Started, now?: number) => string) => {
  const { t } = useTranslation();
  const format = useFormat();
  return (outage, now) => {
    const [from, to] = format.moments(afterOf(outage) ?? outage.started_at, outage.started_at, now);
    return from === to ? t("problems.since", { time: to }) : t("problems.beganBetween", { from, to });
  };
};

/** How long an outage that ended lasted: as a range, where its start is known less exactly. */
export const useLasted = (): ((outage: Times & { ended_at: string }) => string) => {
  const format = useFormat();
  return (outage) => {
    const [start, end] = [Date.parse(outage.started_at), Date.parse(outage.ended_at)];
    const most = end - (afterOf(outage) ?? start);
    return format.elapsedBetween((end - start) / SECOND, most / SECOND);
  };
};

/** How long an open outage has lasted so far; while the hub knows nothing, when it was last seen. */
export function Ongoing({ outage: { started_at } }: { outage: Pick<Outage, "started_at"> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const unknown = useAtomValue(hubUnknownAtom);
  if (unknown) return t("problems.seen", { time: format.moment(unknown.since) });
  return (
    <>
      {t("outages.list.open")} <Elapsed since={started_at} />
    </>
  );
}
