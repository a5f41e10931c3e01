import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type TeamKey, teamKeysAtom } from "./api";
import { RevokeKey } from "./revoke-key";

/** The API keys that members have limited to a team, for its owners; renders nothing without any. */
export function TeamKeys({ teamId }: { teamId: number }) {
  const { t } = useTranslation();
  const [{ data }, refresh] = useAtom(teamKeysAtom(String(teamId)));
  const [revoking, setRevoking] = useState<TeamKey>();
  if (!data || data.length === 0) return null;
  return (
    <section className="card">
      <h2>{t("teams.keys.title")}</h2>
      <p className="soft">{t("teams.keys.text")}</p>
      <ul className="key-list">
        {data.map((key) => (
          <li key={key.id}>
            <div>
              <strong className="truncate" title={key.name}>
                {key.name}
              </strong>
              <span className="soft small">{t("teams.keys.by", { name: key.username })}</span>
            </div>
            <span className="key-tags">
              {key.scopes.map((scope) => (
                <span key={scope} className="tag">
                  {t(`profile.keys.scope.${scope}`)}
                </span>
              ))}
            </span>
            <button
              type="button"
              className="quiet compact"
              aria-label={t("profile.keys.revokeOf", { name: key.name })}
              onClick={() => setRevoking(key)}
            >
              {t("profile.keys.revoke")}
            </button>
          </li>
        ))}
      </ul>
      {revoking && <RevokeKey of={revoking} onDeleted={() => void refresh()} onClose={() => setRevoking(undefined)} />}
    </section>
  );
}
