import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { nowAtom } from "../../../lib/now";
import { Badge, type Tone } from "../../../ui/feedback/badge";
import { useFormat } from "../../../ui/hooks/use-format";
import type { Delivery } from "../calls";
import { useChannelWords } from "../use-channel-words";
import { useDeliveryError } from "./use-said";

type State = "sent" | "failed" | "pending" | "retrying";
const tones: Record<State, Tone> = { sent: "up", failed: "down", pending: "paused", retrying: "pending" };

const stateOf = ({ state, attempts }: Pick<Delivery, "state" | "attempts">): State =>
  state === "pending" && attempts > 0 ? "retrying" : (state as State);

/** One message on its way through one channel: how far it got, what went wrong, and when it is tried again. */
export function DeliveryLine({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const format = useFormat();
  const said = useDeliveryError();
  const words = useChannelWords();
  const now = useAtomValue(nowAtom);
  const { channel, attempts, error, next_attempt_at, ended_at } = delivery;
  const state = stateOf(delivery);
  const next = next_attempt_at ? Date.parse(next_attempt_at) : 0;
  const details = [
    ended_at && format.dateTime(ended_at),
    state !== "pending" &&
      (attempts > 1 || state !== "sent") &&
      t("notifications.history.attempts", { count: attempts }),
    error && said(error),
    (state === "retrying" || next > now) &&
      t("notifications.history.nextAttempt", {
        time: next > now ? format.ago(next, now) : t("notifications.history.soon"),
      }),
  ].filter(Boolean);
  return (
    <li className="delivery">
      <Badge tone={tones[state]}>{t(`notifications.history.state.${state}`)}</Badge>
      <span>
        <strong>{channel.name}</strong> <span className="soft">{words.kind(channel.type)}</span>
      </span>
      {details.length > 0 && <span className="soft small">{details.join(" · ")}</span>}
    </li>
  );
}
