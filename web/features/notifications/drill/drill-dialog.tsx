import { useEffect, useId, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import type { TargetType } from "../../../../src/shared/notifications";
import { api, payload } from "../../../api";
import { useModal } from "../../../ui/feedback/confirm-dialog";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useFormat } from "../../../ui/hooks/use-format";
import { useMessageTitle } from "../../outages/message-title";
import { type Delivery, type HistoryEvent, isOfOutage } from "../history/api";
import { Deliveries } from "../history/deliveries";
import { useUnsentReason } from "../unsent-reason";

type Target = { type: TargetType; id: number; name: string };

const routeOf = ({ type, id }: Target) => (type === "monitor" ? api.monitors({ id }).drill : api.agents({ id }).drill);
const readPreview = (target: Target) => payload(routeOf(target).get());
type Preview = Awaited<ReturnType<typeof readPreview>>;

/** How often the outcome is asked for, in ms, and at most how many times. */
const [PAUSE, ASKED] = [1000, 60];

/** Says what a drill sends to whom, sends it, and shows how each message ended. */
export function DrillDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const { t } = useTranslation();
  const dialog = useModal();
  const title = useId();
  const failureText = useFailureText();
  const [preview, setPreview] = useState<Preview>();
  const [error, setError] = useState<unknown>();
  const [events, setEvents] = useState<readonly number[]>();
  const [refused, setRefused] = useState("");
  const [busy, start] = useTransition();
  const load = () => void readPreview(target).then(setPreview, setError);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog is of one target, and is loaded when it opens.
  useEffect(load, []);

  const send = () =>
    start(async () => {
      try {
        setEvents((await payload(routeOf(target).post())).events);
        setRefused("");
      } catch (failure) {
        setRefused(failureText(t("notifications.drill.failed"), failure));
      }
    });

  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={onClose}>
      <article className="drill">
        <h2 id={title}>{t("notifications.drill.title", { name: target.name })}</h2>
        {events ? (
          <Outcome target={target} ids={events} />
        ) : preview ? (
          <Plan preview={preview} />
        ) : error ? (
          <Failure title={t("notifications.drill.failed")} error={error} onRetry={load} />
        ) : (
          <Skeleton heights={["1.5rem", "6rem"]} />
        )}
        {refused && (
          <p className="message bad" role="alert">
            {refused}
          </p>
        )}
        <div className="actions">
          <button type="button" className={events ? "plain" : "quiet"} onClick={onClose}>
            {t(events ? "common.action.close" : "common.action.cancel")}
          </button>
          {!events && (
            <button type="button" disabled={busy || !preview || preview.problem !== null} onClick={send}>
              {t("notifications.drill.send")}
            </button>
          )}
        </div>
      </article>
    </dialog>
  );
}

/** The messages of a drill in order, or the reason without any. */
function Plan({ preview: { problem, unsent_reason, messages } }: { preview: Preview }) {
  const { t } = useTranslation();
  const format = useFormat();
  const reasonText = useUnsentReason();
  if (problem)
    return (
      <p className="message">{t("notifications.drill.nothing", { reason: reasonText(unsent_reason ?? "unknown") })}</p>
    );
  return (
    <>
      <p className="soft">{t("notifications.drill.text")}</p>
      <ol className="drill-plan">
        {messages.map(({ kind, after_minutes, channels }) => (
          <li key={`${kind} ${after_minutes}`}>
            <strong>{t(`notifications.drill.kind.${kind}`, { count: after_minutes ?? 0 })}</strong>{" "}
            <span className="soft">{format.list(channels.map(({ name }) => name))}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

const isOver = ({ state, attempts }: Delivery) => state !== "pending" || attempts > 0;

/** The events of a drill with their deliveries, asked for until each was attempted. */
const useOutcome = ({ type, id }: Target, ids: readonly number[]) => {
  const [events, setEvents] = useState<HistoryEvent[]>([]);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const ask = async () => {
      const query = { of: `${type}:${id}`, limit: 20 } as const;
      const history = await payload(api.notifications.history.get({ query })).catch(() => undefined);
      if (history)
        setEvents(
          history.events
            .filter(isOfOutage)
            .filter((event) => ids.includes(event.id))
            .toReversed(),
        );
      setAsked((count) => count + 1);
    };
    const deliveries = events.flatMap((event) => event.deliveries);
    const isSettled = deliveries.length > 0 && events.length === ids.length && deliveries.every(isOver);
    if (isSettled || asked >= ASKED) return;
    const timer = setTimeout(ask, asked === 0 ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [type, id, ids, events, asked]);
  return events;
};

/** How each message ended. */
function Outcome({ target, ids }: { target: Target; ids: readonly number[] }) {
  const { t } = useTranslation();
  const title = useMessageTitle();
  const events = useOutcome(target, ids);
  const messages = events.flatMap((event) =>
    [...Map.groupBy(event.deliveries, ({ purpose, sequence }) => `${purpose} ${sequence}`).values()].map(
      (deliveries) => ({ event, deliveries: deliveries as [Delivery, ...Delivery[]] }),
    ),
  );
  return (
    <>
      <p className="soft">{t("notifications.drill.sent")}</p>
      <ol className="drill-plan" aria-live="polite">
        {messages.map(({ event, deliveries }) => {
          const [{ id, purpose, sequence }] = deliveries;
          return (
            <li key={id} className="event">
              <strong>{title({ purpose, step: sequence, times: 1, event })}</strong>
              <Deliveries deliveries={deliveries} />
            </li>
          );
        })}
      </ol>
      {messages.length === 0 && <Skeleton heights={["6rem"]} />}
    </>
  );
}
