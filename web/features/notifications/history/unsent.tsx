import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../../ui/hooks/use-format";

type Props = {
  count: number;
  /** The time of the oldest. */
  since: string;
  isOpen?: boolean;
  /** An item of a list for each event. */
  children: ReactNode;
};

/** Events that were not sent for the same reason: one line, and on demand each of them. */
export function Unsent({ count, since, isOpen = false, children }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <details className="unsent" open={isOpen}>
      <summary>{t("notifications.history.unsent", { count, time: format.moment(since) })}</summary>
      <ol>{children}</ol>
    </details>
  );
}
