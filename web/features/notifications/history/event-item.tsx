import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { nowAtom } from "../../../lib/now";
import { paths } from "../../../paths";
import { Ago } from "../../../ui/feedback/ago";
import { Badge, type Tone } from "../../../ui/feedback/badge";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useFormat } from "../../../ui/hooks/use-format";
import type { Delivery, HistoryEvent } from "../api";
import { useChannelLabels, useDeliveryError, useKindName } from "../labels";

type State = Delivery["state"] | "retrying";
const tones: Record<State, Tone> = {
  sent: "up",
  failed: "down",
  pending: "paused",
  retrying: "pending",
  withheld: "paused",
};

const stateOf = ({ state, attempts }: Pick<Delivery, "state" | "attempts">): State =>
  state === "pending" && attempts > 0 ? "retrying" : state;

/** One delivery: its state, attempts, error and next attempt. */
function DeliveryLine({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const format = useFormat();
  const deliveryError = useDeliveryError();
  const labels = useChannelLabels();
  const now = useAtomValue(nowAtom);
  const { channel, attempts, error_code, error_detail, next_attempt_at, ended_at } = delivery;
  const state = stateOf(delivery);
  const next = next_attempt_at ? Date.parse(next_attempt_at) : 0;
  const details = [
    ended_at && format.dateTime(ended_at),
    state !== "pending" &&
      (attempts > 1 || state !== "sent") &&
      t("notifications.history.attempts", { count: attempts }),
    error_code && deliveryError({ code: error_code, detail: error_detail }),
    (state === "retrying" || next > now) &&
      t("notifications.history.nextAttempt", {
        time: next > now ? format.ago(next, now) : t("notifications.history.soon"),
      }),
  ].filter(Boolean);
  return (
    <li className="delivery">
      <Badge tone={tones[state]}>{t(`notifications.history.state.${state}`)}</Badge>
      <span>
        <strong>{channel.name}</strong> <span className="soft">{labels.kind(channel.type)}</span>
      </span>
      {details.length > 0 && <span className="soft small">{details.join(" · ")}</span>}
    </li>
  );
}

const isBad = (kind: string) => kind === "down" || kind === "offline" || kind.endsWith("_high");

export function EventItem({ event }: { event: HistoryEvent }) {
  const { t } = useTranslation();
  const kindName = useKindName();
  const details = useDetails(event);
  const { kind, target, at, deliveries } = event;
  return (
    <article className="event">
      <header>
        <Badge tone={isBad(kind) ? "down" : "up"}>{kindName(kind)}</Badge>
        <h2 className="truncate">
          <Link href={target.type === "monitor" ? paths.monitor(target.id) : paths.agent(target.id)}>
            {target.name}
          </Link>
        </h2>
        <span className="soft small">
          <Ago time={at} />
        </span>
      </header>
      {details.length > 0 && <p className="soft small">{details.join(" · ")}</p>}
      {deliveries.length === 0 ? (
        <p className="soft small">{t("notifications.history.noDelivery")}</p>
      ) : (
        <ul aria-label={t("notifications.history.deliveries")}>
          {deliveries.map((delivery) => (
            <DeliveryLine key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </article>
  );
}

/** The event's time, cause, figure with its threshold, and duration. */
const useDetails = (event: HistoryEvent) => {
  const { kind, at, since, figure, threshold, mount } = event;
  const { t } = useTranslation();
  const format = useFormat();
  const checkError = useCheckError();
  const lasted = since && (Date.parse(at) - Date.parse(since)) / 1000;
  const against =
    figure !== null &&
    threshold !== null &&
    t("notifications.history.figure", { figure: format.share(figure), threshold: format.share(threshold) });
  return [
    format.dateTime(at),
    checkError(event),
    mount,
    against,
    kind === "offline" && since && t("notifications.history.lastReport", { time: format.dateTime(since) }),
    kind !== "offline" &&
      !isBad(kind) &&
      lasted &&
      t("notifications.history.lasted", { duration: format.duration(lasted) }),
  ].filter(Boolean);
};
