import { useTranslation } from "react-i18next";
import { type Beat, type Slot, toSlots } from "../../lib/series";
import { useFormat } from "../hooks/use-format";
import { tipPlace, useSlotPointer } from "./use-slot-pointer";

type Props = {
  history: readonly (Beat | string)[];
  count?: number;
  /** Lets the arrow keys move from check to check. */
  explore?: boolean;
};

/** The latest checks, oldest left. Pointing at one shows its time and result. */
export function UptimeBar({ history, count = 24, explore = false }: Props) {
  const { t } = useTranslation();
  const { chosen, pointer, onKeyDown } = useSlotPointer(count);
  const slots = toSlots(history, count);
  const summary = useSummary(slots);
  const slot = chosen === undefined ? undefined : slots[chosen];

  return (
    <div
      className="uptime-bar"
      role="img"
      aria-label={summary}
      tabIndex={explore ? 0 : undefined}
      onKeyDown={explore ? onKeyDown : undefined}
      {...pointer}
    >
      {slots.map(({ state }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a slot is identified by its position
        <i key={place} className={place === chosen ? `${state} chosen` : state} data-state={state} />
      ))}
      {slot && chosen !== undefined && (
        <span className="tip" role={explore ? "status" : undefined} style={{ left: tipPlace(chosen, count) }}>
          {slot.beat ? <BeatText slot={slot} /> : t("common.status.empty")}
        </span>
      )}
    </div>
  );
}

function BeatText({ slot: { state, beat } }: { slot: Slot }) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = [
    beat?.timestamp && format.dateTime(beat.timestamp),
    t(`common.status.${state}`),
    typeof beat?.response_time === "number" && format.milliseconds(beat.response_time),
  ];
  return parts.filter(Boolean).join(" · ");
}

const useSummary = (slots: readonly Slot[]) => {
  const { t } = useTranslation();
  const number = (state: Slot["state"]) => slots.filter((slot) => slot.state === state).length;
  const count = slots.length - number("empty");
  return count === 0 ? t("common.bar.none") : t("common.bar.recent", { count, up: number("up"), down: number("down") });
};
