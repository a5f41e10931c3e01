import { useTranslation } from "react-i18next";
import { IconButton } from "../../ui/controls/icon-button";
import { useFormat } from "../../ui/hooks/use-format";
import { Address } from "../../ui/layout/address";
import type { Subscriber } from "./api";

/** The state of a subscription that gets nothing, or whose messages are refused; null for the others. */
function State({ subscriber: { confirmed_at, ended_at, failures } }: { subscriber: Subscriber }) {
  const { t } = useTranslation();
  if (ended_at) return <span className="tag bad">{t("subscribers.ended")}</span>;
  if (!confirmed_at) return <span className="tag">{t("subscribers.waiting")}</span>;
  return failures > 0 ? <span className="tag">{t("subscribers.failing", { count: failures })}</span> : null;
}

type Props = { subscribers: readonly Subscriber[]; onDelete?: (subscriber: Subscriber) => void };

/** A table of subscribers; without `onDelete`, for members who may only read. */
export function SubscriberTable({ subscribers, onDelete }: Props) {
  const { t } = useTranslation();
  const { day, names } = useFormat();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="card table-card" aria-label={t("subscribers.title")} tabIndex={0}>
      <table className="subscriber-table">
        <thead>
          <tr>
            {(["address", "about", "language", "since"] as const).map((column) => (
              <th key={column} scope="col" className={`${column}-cell`}>
                {t(`subscribers.column.${column}`)}
              </th>
            ))}
            {onDelete && (
              <th scope="col" className="number">
                <span className="visually-hidden">{t("subscribers.column.actions")}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {subscribers.map((one) => (
            <tr key={one.id}>
              <th scope="row" className="address-cell">
                <span className="address">
                  <Address text={one.address} />
                </span>
                {one.kind === "webhook" && <span className="tag">{t("subscribers.webhook")}</span>}
                <State subscriber={one} />
              </th>
              <td className="about-cell">
                {one.components ? names(one.components) : <span className="soft">{t("subscribers.everything")}</span>}
              </td>
              <td className="soft language-cell">{t(`subscribers.languages.${one.language}`)}</td>
              <td className="soft figure since-cell">
                <time dateTime={one.created_at}>{day(one.created_at)}</time>
              </td>
              {onDelete && (
                <td className="number">
                  <IconButton
                    icon="trash"
                    label={t("subscribers.delete")}
                    of={one.address}
                    onClick={() => onDelete(one)}
                  />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
