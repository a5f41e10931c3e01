import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { UnsentReason } from "../../../../src/shared/outages/unsent-reasons";
import { useFormat } from "../../../ui/hooks/use-format";
import { useUnsentReason } from "../unsent-reason";

type Props = {
  count: number;
  reason: UnsentReason;
  /** The time of the oldest, where it is not on the day above the line. */
  since?: string;
  /** Whether the events are shown at first. */
  isOpen?: boolean;
  /** An item of a list for each event. */
  children: ReactNode;
};

/** Events that were not sent for the same reason: one line, and on demand each of them. */
export function Unsent({ count, reason: code, since, isOpen = false, children }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const reason = useUnsentReason()(code);
  const text = since
    ? t("notifications.history.unsentSince", { count, reason, time: format.moment(since) })
    : t("notifications.history.unsent", { count, reason });
  return (
    <details className="unsent" open={isOpen}>
      <summary>{text}</summary>
      <ol>{children}</ol>
    </details>
  );
}
