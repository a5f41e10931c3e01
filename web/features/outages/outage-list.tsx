import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { SECOND } from "../../../src/shared/limits";
import { paths } from "../../paths";
import { StatusMark } from "../../ui/feedback/badge";
import { Elapsed } from "../../ui/feedback/elapsed";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { useFormat } from "../../ui/hooks/use-format";
import { outageMark } from "../problems/outage-mark";
import type { Outage } from "./api";

type Listed = Pick<Outage, "id" | "kind" | "subject" | "started_at" | "ended_at" | "error_code" | "error_detail">;

/** The latest outages of a monitor or server, each with a link to its own page. Renders nothing while there was none. */
export function OutageList({ outages }: { outages: readonly Listed[] }) {
  const { t } = useTranslation();
  if (outages.length === 0) return null;
  return (
    <section className="card outage-list" aria-label={t("outages.latest")}>
      <div className="section-head">
        <h2>{t("outages.latest")}</h2>
      </div>
      <ol>
        {outages.map((outage) => (
          <OutageRow key={outage.id} outage={outage} />
        ))}
      </ol>
    </section>
  );
}

function OutageRow({ outage: { id, kind, subject, started_at, ended_at, ...error } }: { outage: Listed }) {
  const { t } = useTranslation();
  const format = useFormat();
  const reason = useCheckError()(error);
  const lasted = ended_at && format.elapsed((Date.parse(ended_at) - Date.parse(started_at)) / SECOND);
  const status = ended_at ? "paused" : outageMark(kind);
  // The reason of a certificate says as much as the kind.
  const why =
    kind === "certificate" && reason
      ? reason
      : [t(`outages.kinds.${kind}.label`), subject, reason].filter(Boolean).join(" · ");
  return (
    <li>
      <StatusMark status={status} label={t(ended_at ? "outages.ended" : "outages.open")} />
      <Link href={paths.outage(id)}>
        <time dateTime={started_at}>{format.dateTime(started_at)}</time>
      </Link>
      <span className="outage-why">{why}</span>
      <span className="outage-lasted">{lasted ?? <Elapsed since={started_at} />}</span>
    </li>
  );
}
