import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type TeamKey, teamKeysAtom } from "./api";
import { KeyRow } from "./key-row";
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
          <KeyRow
            key={key.id}
            of={key}
            about={<span className="soft small">{t("teams.keys.by", { name: key.username })}</span>}
            onRevoke={() => setRevoking(key)}
          />
        ))}
      </ul>
      {revoking && <RevokeKey of={revoking} onDeleted={() => void refresh()} onClose={() => setRevoking(undefined)} />}
    </section>
  );
}
