import { useTranslation } from "react-i18next";
import { Ago } from "../../../ui/feedback/ago";
import { useFormat } from "../../../ui/hooks/use-format";
import type { Key } from "../calls";

type Props = { keys: readonly Key[]; onRevoke: (key: Key) => void };

export function KeyList({ keys, onRevoke }: Props) {
  const { t } = useTranslation();
  if (keys.length === 0) return <p className="soft small">{t("profile.keys.empty")}</p>;
  return (
    <ul className="key-list">
      {keys.map((key) => (
        <li key={key.id}>
          <div>
            <strong className="truncate" title={key.name}>
              {key.name}
            </strong>
            <KeyDates of={key} />
          </div>
          <span className="tag">{t(`profile.keys.scope.${key.scope}`)}</span>
          <button
            type="button"
            className="quiet compact"
            aria-label={t("profile.keys.revokeOf", { name: key.name })}
            onClick={() => onRevoke(key)}
          >
            {t("profile.keys.revoke")}
          </button>
        </li>
      ))}
    </ul>
  );
}

function KeyDates({ of: { created_at, expires_at, last_used_at } }: { of: Key }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className="soft small">
      {t("profile.keys.created", { time: format.day(created_at) })}
      {expires_at && (
        <>
          {" · "}
          {t(Date.parse(expires_at) > Date.now() ? "profile.keys.expires" : "profile.keys.expired", {
            time: format.day(expires_at),
          })}
        </>
      )}
      {" · "}
      {last_used_at ? (
        <>
          {t("profile.keys.used")} <Ago time={last_used_at} />
        </>
      ) : (
        t("profile.keys.unused")
      )}
    </span>
  );
}
