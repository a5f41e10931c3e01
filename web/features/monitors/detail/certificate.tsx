import { useTranslation } from "react-i18next";
import { daysLeft, isExpiryKind, reachedThreshold } from "../../../../src/shared/certificate";
import { DAY } from "../../../../src/shared/limits";
import { hubNow } from "../../../lib/now";
import { StatusMark } from "../../../ui/feedback/badge";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useFormat } from "../../../ui/hooks/use-format";
import { OutageActions } from "../../problems/acknowledge";
import { outageMark } from "../../problems/outage-mark";
import type { MonitorDetail } from "../api";
import { kindOf } from "../form/kinds/registry";

type Of = { monitor: MonitorDetail };

/** The expiry of a certificate for display: alerts count a begun day as a whole one, so it is moved to whole days from now. */
export const wholeDays = (expiry: string): number => {
  const [expiresAt, now] = [Date.parse(expiry), hubNow()];
  return expiresAt - now > DAY ? now + daysLeft(expiresAt, now) * DAY : expiresAt;
};

/** When the certificate or domain of a monitor expires; null if that is not known. */
export const expiryOf = ({ cert_expires_at, registration }: MonitorDetail): string | null =>
  registration?.expires_at ?? cert_expires_at;

/** The class of an expiry: amber once a threshold was reached, and red after it has expired. */
export const expiryTone = (monitor: MonitorDetail): "expired" | "expiring" | undefined => {
  const expiry = expiryOf(monitor);
  if (expiry === null) return undefined;
  const [expiresAt, now] = [Date.parse(expiry), hubNow()];
  if (expiresAt <= now) return "expired";
  const days = kindOf(monitor.kind).certificateDays?.(monitor) ?? [];
  return reachedThreshold(days, expiresAt, now) === null ? undefined : "expiring";
};

/** When the certificate or domain of a monitor expires, for display. */
export function CertificateExpiry({ monitor }: Of) {
  const { t } = useTranslation();
  const format = useFormat();
  const expiry = expiryOf(monitor);
  if (expiry === null) return null;
  return (
    <span className={expiryTone(monitor)}>
      {t("monitors.detail.certificateIn", {
        date: format.day(expiry),
        time: format.ago(wholeDays(expiry)),
      })}
    </span>
  );
}

/** Warns that the certificate or domain of a monitor expires soon. Renders nothing for a paused monitor, or without such an outage. */
export function CertificateProblem({ monitor, onChanged }: Of & { onChanged: () => void }) {
  const { t } = useTranslation();
  const checkError = useCheckError();
  const { active, outages } = monitor;
  const outage = outages.find(({ kind, ended_at }) => isExpiryKind(kind) && ended_at === null);
  if (!active || !outage) return null;
  return (
    <section className="problems soon monitor-problem" aria-label={t(`outages.kinds.${outage.kind}.label`)}>
      <p>
        <StatusMark status={outageMark(outage.kind)} label={t(`outages.kinds.${outage.kind}.label`)} />{" "}
        <strong>{checkError(outage)}</strong>{" "}
        <span className="soft">
          <CertificateExpiry monitor={monitor} />
        </span>
      </p>
      <OutageActions outage={outage} onChanged={onChanged} />
    </section>
  );
}
