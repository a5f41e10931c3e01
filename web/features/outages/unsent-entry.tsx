import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { isClosing } from "../../../src/shared/notifications";
import { isUndecided } from "../../../src/shared/outages/unsent-reasons";
import { paths } from "../../paths";
import { capital } from "../notifications/labels";
import { MEND_PATHS, mendPlaceOf, useUnsentReason } from "../notifications/unsent-reason";
import type { Entry, Outage } from "./api";

type Props = { entry: Extract<Entry, { kind: "unsent" }>; outage: Outage };

/** Says in the timeline why no channel was notified, and leads to where that is set. */
export function UnsentEntry({ entry: { event, unsent_reason }, outage: { target_type, target_id } }: Props) {
  const { t } = useTranslation();
  const reasonText = useUnsentReason();
  const reason = unsent_reason ?? "unknown";
  const place = mendPlaceOf(reason);
  const own = `${target_type === "monitor" ? paths.monitor(target_id) : paths.agent(target_id)}?tab=alerts`;
  const what = event && isClosing(event.kind) ? "recovery" : isUndecided(reason) ? "awaited" : "alert";
  return (
    <>
      <h3>{t(`outages.unsent.${what}`)}</h3>
      <p className="soft">
        {t("outages.unsent.why", { reason: capital(reasonText(reason)) })}
        {place && (
          <>
            {" "}
            <Link href={place === "own" ? own : MEND_PATHS[place]}>{t("outages.unsent.mend")}</Link>
          </>
        )}
      </p>
    </>
  );
}
