import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

type Props = {
  count: number;
  /** Whether the events are shown at first. */
  isOpen?: boolean;
  /** An item of a list for each event. */
  children: ReactNode;
};

/** Events that were not sent for the same reason: one line, and on demand each of them. */
export function Unsent({ count, isOpen = false, children }: Props) {
  const { t } = useTranslation();
  return (
    <details className="unsent" open={isOpen}>
      <summary>{t("notifications.history.unsent", { count })}</summary>
      <ol>{children}</ol>
    </details>
  );
}
