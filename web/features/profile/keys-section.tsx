import { useAtom, useAtomValue } from "jotai";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { hasScope } from "../../../src/shared/accounts/key-scopes";
import { serverAddress } from "../../bootstrap";
import { base } from "../../lib/navigation/base-path";
import { hubNow } from "../../lib/now";
import { Copyable } from "../../ui/controls/copy-button";
import { Icon } from "../../ui/controls/icon";
import { Ago } from "../../ui/feedback/ago";
import { QuotaReached } from "../../ui/feedback/quota";
import { Skeleton } from "../../ui/feedback/skeleton";
import { useErrorText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { teamsAtom } from "../teams/api";
import { KeyRow } from "../teams/key-row";
import { RevokeKey } from "../teams/revoke-key";
import { type Key, keysAtom, type NewKey } from "./api";
import { KeyDialog } from "./key-form";

/** A command to try a key; undefined for keys whose calls need more than an address. */
const exampleOf = ({ key, scopes }: NewKey): string | undefined => {
  const curl = `curl -H "Authorization: Bearer ${key}"`;
  if (hasScope(scopes, ["read"])) return `${curl} ${serverAddress()}/api/monitors`;
  return hasScope(scopes, ["enroll"]) ? `${curl} -X POST ${serverAddress()}/api/agents/token/generate` : undefined;
};

/** A key right after its creation, with a command to try it. The key is not shown again. */
function KeyShown({ created, onDone }: { created: NewKey; onDone: () => void }) {
  const { t } = useTranslation();
  const { key, name } = created;
  const example = exampleOf(created);
  const box = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone, so the focus moves to the first copy button.
  useEffect(() => box.current?.querySelector("button")?.focus(), []);

  return (
    <div className="key-shown" ref={box}>
      <p className="message good" role="status">
        <Icon name="key" />
        <span>
          <strong>{name}</strong>
          <br />
          {t("profile.keys.once")}
        </span>
      </p>
      <div className="field">
        <span className="choice-label">{t("profile.keys.key")}</span>
        <Copyable what={t("profile.keys.key")} text={key} />
      </div>
      {example && (
        <div className="field">
          <span className="choice-label">{t("profile.keys.example")}</span>
          <Copyable what={t("profile.keys.example")} text={example} />
        </div>
      )}
      <div className="actions">
        <button type="button" className="plain" onClick={onDone}>
          {t("profile.keys.done")}
        </button>
      </div>
    </div>
  );
}

type KeyListProps = { keys: readonly Key[]; onRevoke: (key: Key) => void };

function KeyList({ keys, onRevoke }: KeyListProps) {
  const { t } = useTranslation();
  if (keys.length === 0) return <p className="soft small">{t("profile.keys.empty")}</p>;
  return (
    <ul className="key-list">
      {keys.map((key) => (
        <KeyRow
          key={key.id}
          of={key}
          about={<KeyDates of={key} />}
          tag={<TeamTag id={key.team_id} />}
          onRevoke={() => onRevoke(key)}
        />
      ))}
    </ul>
  );
}

/** The team that a key is limited to. */
function TeamTag({ id }: { id: number | null }) {
  const { t } = useTranslation();
  const team = useAtomValue(teamsAtom).data?.find((one) => one.id === id);
  if (!team) return null;
  return <span className="tag strong truncate">{team.personal ? t("keyScopes.mine") : team.name}</span>;
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
          {t(Date.parse(expires_at) > hubNow() ? "profile.keys.expires" : "profile.keys.expired", {
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

/** The user's API keys, and the button that opens the form to create one. */
export function KeysSection() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [{ data, error }, refresh] = useAtom(keysAtom);
  const [fresh, setFresh] = useState<NewKey>();
  const [revoking, setRevoking] = useState<Key>();
  const [adding, setAdding] = useState(false);
  const reload = () => void refresh();

  return (
    <section className="card">
      <div className="section-head">
        <h2>{t("profile.keys.title")}</h2>
        <button type="button" onClick={() => setAdding(true)}>
          <Icon name="plus" />
          {t("profile.keys.submit")}
        </button>
      </div>
      <p className="soft">
        {t("profile.keys.text")}{" "}
        <a href={`${base}/api/docs`} target="_blank" rel="noopener">
          {t("common.user.docs")} <Icon name="external" />
        </a>
      </p>
      {fresh && <KeyShown created={fresh} onDone={() => setFresh(undefined)} />}
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
      <QuotaReached name="keys" used={data?.keys.length} />
      {adding && (
        <KeyDialog
          onCreated={(created) => {
            setAdding(false);
            setFresh(created);
            reload();
          }}
          onClose={() => setAdding(false)}
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
