import { useTranslation } from "react-i18next";
import { type Beat, markMaintenance, type Slot, toSlots } from "../../lib/series";
import { usePageFormat } from "../hooks/use-page-format";
import { PULSE_HEIGHT, pulsePaths, typicalTime } from "./pulse";
import { tipPlace, useSlotPointer } from "./use-slot-pointer";

type Props = {
  history: readonly Beat[];
  /** The number of slots: 24 in cards, 40 in rows and details. */
  count?: number;
  /** Ends the bar with a slot for the unknown state, which lasts since then. */
  unknown?: { since: string } | null;
  /** The maintenance in the time of the checks. */
  maintenance?: readonly { from: string; to: string }[] | undefined;
  /** Draws the slots hollow, for a paused monitor. */
  paused?: boolean;
  /** Lets the arrow keys move from check to check. */
  explore?: boolean;
  /** Shows the times of the first and the last slot below the bar. */
  ends?: boolean;
};

/**
 * The latest checks of a monitor, oldest left: the height of a slot is its response time against the bar's 95th percentile,
 * a failure has the full height and a notch. Pointing at a slot shows its time and result.
 */
export function PulseBar(props: Props) {
  const { history, count = 24, unknown, maintenance = [], paused = false, explore = false, ends = false } = props;
  const { t } = useTranslation();
  const { chosen, pointer, onKeyDown } = useSlotPointer(count);
  const beats = unknown ? [...history, { status: "unknown", timestamp: unknown.since }] : history;
  const slots = markMaintenance(toSlots(beats, count), maintenance);
  const summary = useSummary(slots, paused);
  const slot = chosen === undefined ? undefined : slots[chosen];

  return (
    <div className={paused ? "pulse-bar paused" : "pulse-bar"}>
      <div
        className="pulse-slots"
        role="img"
        aria-label={summary}
        tabIndex={explore ? 0 : undefined}
        onKeyDown={explore ? onKeyDown : undefined}
        {...pointer}
      >
        <svg viewBox={`0 0 ${count} ${PULSE_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {chosen !== undefined && <rect className="chosen" x={chosen} y="0" width="1" height={PULSE_HEIGHT} />}
          {pulsePaths(slots).map(({ state, d }) => (
            <path key={state} className={state} d={d} />
          ))}
        </svg>
      </div>
      {slot && chosen !== undefined && (
        <span className="tip" role={explore ? "status" : undefined} style={{ left: tipPlace(chosen, count) }}>
          {slot.beat ? <BeatText slot={slot} /> : t("common.status.empty")}
        </span>
      )}
      {ends && <Ends slots={slots} paused={paused} />}
    </div>
  );
}

/** The time of the oldest check, and of the newest if the monitor is paused; otherwise "now". */
function Ends({ slots, paused }: { slots: readonly Slot[]; paused: boolean }) {
  const { t } = useTranslation();
  const format = usePageFormat();
  const first = slots.find(({ beat }) => beat?.timestamp)?.beat?.timestamp;
  const last = slots.at(-1)?.beat?.timestamp;
  if (!first) return null;
  return (
    <div className="pulse-ends" aria-hidden="true">
      <span>{format.moment(first)}</span>
      <span>{paused && last ? format.moment(last) : t("common.bar.now")}</span>
    </div>
  );
}

function BeatText({ slot: { state, beat } }: { slot: Slot }) {
  const { t } = useTranslation();
  const format = usePageFormat();
  const parts = [
    beat?.timestamp && format.dateTime(beat.timestamp),
    t(`common.status.${state}`),
    state === "maintenance" && beat?.status === "down" && t("common.status.down"),
    typeof beat?.response_time === "number" && format.milliseconds(beat.response_time),
  ];
  return parts.filter(Boolean).join(" · ");
}

const useSummary = (slots: readonly Slot[], paused: boolean): string => {
  const { t } = useTranslation();
  const format = usePageFormat();
  const number = (state: Slot["state"]) => slots.filter((slot) => slot.state === state).length;
  const count = slots.length - number("empty") - number("unknown") - number("maintenance");
  if (count === 0) return t(number("maintenance") > 0 ? "common.status.maintenance" : "common.bar.none");
  const typical = typicalTime(slots);
  return [
    paused && t("common.status.paused"),
    t("common.bar.recent", { count, up: number("up") + number("degraded"), down: number("down") }),
    number("degraded") > 0 && t("common.bar.slow", { count: number("degraded") }),
    typical !== undefined && t("common.bar.typical", { time: format.milliseconds(typical) }),
    number("unknown") > 0 && t("common.bar.unknown"),
    number("maintenance") > 0 && t("common.status.maintenance"),
  ]
    .filter(Boolean)
    .join(t("common.bar.separator"));
};
