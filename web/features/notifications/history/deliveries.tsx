import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import type { UnsentReason } from "../../../../src/shared/outages/unsent-reasons";
import { nowAtom } from "../../../lib/now";
import { Icon, type IconName } from "../../../ui/controls/icon";
import { useFormat } from "../../../ui/hooks/use-format";
import { useChannelLabels, useDeliveryError } from "../labels";
import { useUnsentText } from "../unsent-reason";
import type { Delivery } from "./api";

type State = Delivery["state"] | "retrying";
const icons: Record<State, IconName> = {
  sent: "check",
  failed: "alert",
  pending: "pending",
  retrying: "pending",
  withheld: "muted",
};

const stateOf = ({ state, attempts }: Pick<Delivery, "state" | "attempts">): State =>
  state === "pending" && attempts > 0 ? "retrying" : state;

/** The displayed fields of a delivery. `count`: how many it stands for. */
type Shown = Pick<
  Delivery,
  "id" | "channel" | "state" | "attempts" | "error_code" | "error_detail" | "digest_id" | "next_attempt_at"
> & { ended_at?: string | null; count?: number };

/** The time of a next attempt, or 0. */
const dueAt = (next: string | null): number => (next ? Date.parse(next) : 0);

/** Deliveries that are shown in one line, because they ended in the same way. */
type Group = { key: string; state: State; deliveries: [Shown, ...Shown[]] };

/**
 * Groups what was sent alone, what was sent with others, what was withheld for one reason, what waits for one time, and what
 * one channel failed to deliver for one reason; everything else has a line of its own.
 */
const groupDeliveries = (deliveries: readonly Shown[], now: number): Group[] => {
  const groups = new Map<string, Group>();
  for (const delivery of deliveries) {
    const state = stateOf(delivery);
    const { id, channel, error_code, error_detail, digest_id, next_attempt_at } = delivery;
    const isShared = state === "sent" || state === "withheld" || state === "pending";
    const due = state === "pending" ? Math.max(dueAt(next_attempt_at), now) : 0;
    const same = isShared
      ? `${error_code} ${digest_id !== null} ${due}`
      : `${channel.id} ${JSON.stringify(error_detail)}`;
    const key = isShared || state === "failed" ? `${state} ${error_code} ${same}` : String(id);
    const group = groups.get(key);
    if (group) group.deliveries.push(delivery);
    else groups.set(key, { key, state, deliveries: [delivery] });
  }
  return [...groups.values()];
};

/** Each channel of deliveries with the number of messages. */
const byChannel = (deliveries: readonly Shown[]) =>
  [...Map.groupBy(deliveries, ({ channel }) => channel.id).values()].flatMap((own) => {
    const [first] = own;
    return first ? [{ channel: first.channel, times: own.reduce((sum, { count = 1 }) => sum + count, 0) }] : [];
  });

/** A line of deliveries: their state and channels, and for a failed one its attempts, error and next attempt. */
function DeliveryLine({ group: { state, deliveries } }: { group: Group }) {
  const { t } = useTranslation();
  const format = useFormat();
  const deliveryError = useDeliveryError();
  const labels = useChannelLabels();
  const now = useAtomValue(nowAtom);
  const [{ attempts, error_code, error_detail, digest_id, next_attempt_at, ended_at }] = deliveries;
  const next = dueAt(next_attempt_at);
  const tried = state === "failed" || state === "retrying" || attempts > 1;
  const details = [
    digest_id !== null && t("notifications.history.inDigest"),
    tried && t("notifications.history.attempts", { count: attempts }),
    error_code && deliveryError({ code: error_code, detail: error_detail }),
    (state === "retrying" || next > now) &&
      t("notifications.history.nextAttempt", {
        time: next > now ? format.ago(next, now) : t("notifications.history.soon"),
      }),
  ].filter(Boolean);
  return (
    <li className={`delivery ${state}`} title={ended_at ? format.dateTime(ended_at) : undefined}>
      <Icon name={icons[state]} />
      <span className="delivery-state">{t(`notifications.history.state.${state}`)}</span>
      <span className="delivery-to">
        {byChannel(deliveries).map(({ channel, times }) => (
          <span key={channel.id} title={`${channel.name} · ${labels.kind(channel.type)}`}>
            {channel.name}
            {times > 1 && ` ×${format.number(times)}`}
          </span>
        ))}
      </span>
      {details.length > 0 && <span className="delivery-details">{details.join(" · ")}</span>}
    </li>
  );
}

type Props = {
  deliveries: readonly Shown[];
  /** The reason for an empty list. */
  unsent?: UnsentReason | null;
};

/** Who was notified of an event, and why others were not. */
export function Deliveries({ deliveries, unsent }: Props) {
  const { t } = useTranslation();
  const now = useAtomValue(nowAtom);
  const unsentText = useUnsentText();
  if (deliveries.length === 0) return <p className="delivery-none">{unsentText(unsent ?? "unknown")}</p>;
  return (
    <ul aria-label={t("notifications.history.deliveries")}>
      {groupDeliveries(deliveries, now).map((group) => (
        <DeliveryLine key={group.key} group={group} />
      ))}
    </ul>
  );
}
