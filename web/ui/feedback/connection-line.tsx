import { useAtomValue } from "jotai";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { toHubTime } from "../../lib/now";
import { connectionAtom, onRetry, retryNow } from "../../lib/offline/connection";
import { refreshMounted } from "../../lib/resource";
import { Icon } from "../controls/icon";
import { useFormat } from "../hooks/use-format";

/** Milliseconds between two attempts to replace kept data. */
const PAUSE = 10_000;

/** A line above the screen while the server cannot be reached, or has a newer page. The screen stays as it is. */
export function ConnectionLine() {
  const { t } = useTranslation();
  const { missing, outdated, asOf } = useAtomValue(connectionAtom);
  const format = useFormat();
  const isKept = asOf !== null;

  useEffect(() => (isKept ? onRetry(refreshMounted, PAUSE) : undefined), [isKept]);

  const text = outdated
    ? t("common.connection.outdated")
    : [
        isKept && t("common.connection.asOf", { time: format.moment(toHubTime(asOf)) }),
        missing > 0 && t("common.connection.missing"),
      ]
        .filter(Boolean)
        .join(" ");
  return (
    <div role="status" className="connection">
      {text && (
        <p className="message warn stale">
          <Icon name={outdated ? "refresh" : "offline"} />
          {text}
          <button type="button" className="quiet compact" onClick={outdated ? () => location.reload() : retryNow}>
            {t(outdated ? "common.action.reload" : "common.action.retry")}
          </button>
        </p>
      )}
    </div>
  );
}
