import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { base } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { Ago } from "../../ui/feedback/ago";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { QuotaReached } from "../../ui/feedback/quota";
import { Skeleton } from "../../ui/feedback/skeleton";
import { useErrorText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { type Key, keysAtom, type NewKey, revokeKey } from "./api";
import { KeyForm, KeyShown } from "./key-form";

type KeyListProps = { keys: readonly Key[]; onRevoke: (key: Key) => void };

export function KeyList({ keys, onRevoke }: KeyListProps) {
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

type Props = { of: Pick<Key, "id" | "name">; onDeleted: () => void; onClose: () => void };

export function RevokeKey({ of: { id, name }, ...on }: Props) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t("profile.keys.revokeTitle", { name })}
      text={t("profile.keys.revokeText")}
      done={t("profile.keys.revoked", { name })}
      failed={t("profile.keys.revokeFailed")}
      action={{ label: t("profile.keys.revoke"), busy: t("profile.keys.revoking") }}
      remove={() => revokeKey(id)}
      {...on}
    />
  );
}

/** The user's API keys and the form to create one. */
export function KeysSection() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [{ data, error }, refresh] = useAtom(keysAtom);
  const [fresh, setFresh] = useState<NewKey>();
  const [revoking, setRevoking] = useState<Key>();
  const reload = () => void refresh();

  return (
    <section className="card">
      <div className="section-head">
        <h2>{t("profile.keys.title")}</h2>
        <a href={`${base}/api/docs`} target="_blank" rel="noopener">
          {t("profile.keys.docs")} <Icon name="external" />
        </a>
      </div>
      <p className="soft">{t("profile.keys.text")}</p>
      {data ? (
        <KeyList keys={data.keys} onRevoke={setRevoking} />
      ) : error ? (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {t("profile.keys.loadFailed")}: {errorText(error)}
          <button type="button" className="quiet compact" onClick={reload}>
            {t("common.action.retry")}
          </button>
        </p>
      ) : (
        <Skeleton heights={["3rem"]} />
      )}
      {!fresh && <QuotaReached name="keys" used={data?.keys.length} />}
      {fresh ? (
        <KeyShown created={fresh} onDone={() => setFresh(undefined)} />
      ) : (
        <KeyForm
          onCreated={(created) => {
            setFresh(created);
            reload();
          }}
        />
      )}
      {revoking && (
        <RevokeKey
          of={revoking}
          onDeleted={() => {
            if (fresh?.id === revoking.id) setFresh(undefined);
            reload();
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </section>
  );
}
