import { type KeyboardEvent, type PointerEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Beat, type Slot, toSlots } from "../../lib/charts/slots";
import { useFormat } from "../hooks/use-format";

type Props = {
  history: readonly (Beat | string)[];
  count?: number;
  /** Lets the keyboard walk from check to check. */
  explore?: boolean;
};

/** The last checks, oldest left. Pointing at one tells when it was and how it went. */
export function UptimeBar({ history, count = 24, explore = false }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<number>();
  const [touched, setTouched] = useState(false);
  const slots = toSlots(history, count);
  const sentence = useSentence(slots);

  // A finger is lifted right away: what it asked for stays until it does something else.
  useEffect(() => {
    if (!touched) return;
    const putAway = () => {
      setTouched(false);
      setChosen(undefined);
    };
    window.addEventListener("pointerdown", putAway, true);
    window.addEventListener("scroll", putAway, true);
    return () => {
      window.removeEventListener("pointerdown", putAway, true);
      window.removeEventListener("scroll", putAway, true);
    };
  }, [touched]);

  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setChosen(Math.min(count - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * count))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") setChosen(undefined);
    if (step === undefined) return;
    event.preventDefault();
    setChosen((now) => Math.min(count - 1, Math.max(0, (now ?? count) + step)));
  };
  const clear = () => setChosen(undefined);
  const slot = chosen === undefined ? undefined : slots[chosen];

  return (
    <div
      className="uptime-bar"
      role="img"
      aria-label={sentence}
      tabIndex={explore ? 0 : undefined}
      onPointerDown={(event) => {
        setTouched(event.pointerType === "touch");
        point(event);
      }}
      onPointerMove={point}
      onPointerLeave={({ pointerType }) => pointerType !== "touch" && clear()}
      onKeyDown={explore ? onKeyDown : undefined}
      onBlur={clear}
    >
      {slots.map(({ state }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its place
        <i key={place} className={place === chosen ? `${state} chosen` : state} data-state={state} />
      ))}
      {slot && chosen !== undefined && (
        <span className="tip" role={explore ? "status" : undefined} style={{ left: tipPlace(chosen, count) }}>
          {slot.beat ? <BeatWords slot={slot} /> : t("common.status.empty")}
        </span>
      )}
    </div>
  );
}

/** Over its slot, but never past the ends of the bar. */
const tipPlace = (chosen: number, count: number) =>
  `clamp(5.5rem, ${((chosen + 0.5) / count) * 100}%, calc(100% - 5.5rem))`;

function BeatWords({ slot: { state, beat } }: { slot: Slot }) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = [
    beat?.timestamp && format.dateTime(beat.timestamp),
    t(`common.status.${state}`),
    typeof beat?.response_time === "number" && format.milliseconds(beat.response_time),
  ];
  return parts.filter(Boolean).join(" · ");
}

const useSentence = (slots: readonly Slot[]) => {
  const { t } = useTranslation();
  const number = (state: Slot["state"]) => slots.filter((slot) => slot.state === state).length;
  const count = slots.length - number("empty");
  return count === 0 ? t("common.bar.none") : t("common.bar.recent", { count, up: number("up"), down: number("down") });
};
