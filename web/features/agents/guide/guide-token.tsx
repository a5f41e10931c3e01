import { useTranslation } from "react-i18next";
import { CallError } from "../../../api";
import { Copyable } from "../../../ui/controls/copyable";
import { Icon } from "../../../ui/controls/icon";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import { OpenTokens } from "../list/open-tokens";

type Props = { token: string | undefined; id: number | undefined; error: unknown; busy: boolean; renew: () => void };

/** The token with its validity, a button for a new one, and the other open tokens. */
export function GuideToken({ token, id, error, busy, renew }: Props) {
  const { t } = useTranslation();
  const words = useErrorText();
  const quota = error instanceof CallError ? error.quota : undefined;
  return (
    <div className="field">
      <span className="choice-label">{t("agents.guide.token")}</span>
      {token !== undefined && <Copyable what={t("agents.guide.token")} text={token} />}
      {token === undefined && busy && <Skeleton heights={["2.75rem"]} />}
      {error !== undefined && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {quota
            ? t("agents.guide.tokensFull", { limit: quota.limit })
            : `${t("agents.guide.tokenFailed")}: ${words(error)}`}
        </p>
      )}
      <span className="hint">{t("agents.guide.tokenHint")}</span>
      <div className="actions">
        <button type="button" className="plain compact" disabled={busy} aria-busy={busy} onClick={renew}>
          <Icon name="key" />
          {t("agents.guide.newToken")}
        </button>
        <span className="soft small">{t("agents.guide.onePerMachine")}</span>
      </div>
      <OpenTokens
        current={id}
        full={quota !== undefined}
        onRevoked={quota && token === undefined ? renew : undefined}
      />
    </div>
  );
}
