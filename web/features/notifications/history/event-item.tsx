import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Ago } from "../../../ui/feedback/ago";
import { Badge } from "../../../ui/feedback/badge";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useFormat } from "../../../ui/hooks/use-format";
import type { HistoryEvent } from "../calls";
import { useKindName } from "../use-kind-name";
import { DeliveryLine } from "./delivery-line";

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
        <p className="soft small">{t("notifications.history.nobody")}</p>
      ) : (
        <ul aria-label={t("notifications.history.told")}>
          {deliveries.map((delivery) => (
            <DeliveryLine key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </article>
  );
}

/** When exactly, why, how much against which threshold, and for how long. */
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
