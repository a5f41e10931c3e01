import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { base } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { QuotaReached } from "../../../ui/feedback/quota";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import type { Key, NewKey } from "../calls";
import { keysAtom } from "../profile-state";
import { KeyForm } from "./key-form";
import { KeyList } from "./key-list";
import { KeyShown } from "./key-shown";
import { RevokeKey } from "./revoke-key";

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
