import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { Ago } from "../../../ui/feedback/ago";
import { toast } from "../../../ui/feedback/toast";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import { listTokens, revokeToken } from "../calls";

type Token = Awaited<ReturnType<typeof listTokens>>["tokens"][number];

type Props = {
  /** The id of the token on screen. */
  current: number | undefined;
  /** Whether no new token can be made until one of these is revoked: then the list is open. */
  full: boolean;
  onRevoked: (() => void) | undefined;
};

/** The viewer's other tokens with which a machine can still enroll, each with a button that revokes it. */
export function OpenTokens({ current, full, onRevoked }: Props) {
  const { t } = useTranslation();
  const words = useErrorText();
  const [tokens, setTokens] = useState<readonly Token[]>([]);
  const [busy, setBusy] = useState<number>();

  useEffect(() => {
    if (current === undefined && !full) return;
    let wanted = true;
    // Without the list the guide does all that it is for.
    listTokens()
      .then((answer) => wanted && setTokens(answer.tokens))
      .catch(() => {});
    return () => {
      wanted = false;
    };
  }, [current, full]);

  const revoke = async (id: number) => {
    setBusy(id);
    try {
      await revokeToken(id);
      setTokens((before) => before.filter((token) => token.id !== id));
      toast(t("agents.guide.revoked"));
      onRevoked?.();
    } catch (error) {
      toast(`${t("agents.guide.revokeFailed")}: ${words(error)}`, { tone: "bad" });
    } finally {
      setBusy(undefined);
    }
  };

  const open = tokens.filter(({ id, used }) => !used && id !== current);
  if (open.length === 0) return null;
  return (
    <details className="open-tokens" open={full || undefined}>
      <summary>{t("agents.guide.openTokens", { count: open.length })}</summary>
      <ul>
        {open.map(({ id, created_at }) => (
          <li key={id}>
            <span className="soft small">
              {t("agents.guide.tokenMade")} <Ago time={created_at} />
            </span>
            <button type="button" className="plain compact" disabled={busy === id} onClick={() => void revoke(id)}>
              <Icon name="trash" />
              {t("agents.guide.revoke")}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
