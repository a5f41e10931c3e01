import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Ago } from "../../ui/ago";
import { Icon } from "../../ui/icon";
import { toast } from "../../ui/toast";
import { useErrorText } from "../../ui/use-error-text";
import { listTokens, revokeToken } from "./calls";

type Token = Awaited<ReturnType<typeof listTokens>>["tokens"][number];

/** The viewer's other tokens with which a machine can still enrol, each with a way to revoke it. `current` is the one shown. */
export function OpenTokens({ current }: { current: number | undefined }) {
  const { t } = useTranslation();
  const words = useErrorText();
  const [tokens, setTokens] = useState<readonly Token[]>([]);
  const [busy, setBusy] = useState<number>();

  useEffect(() => {
    if (current === undefined) return;
    let wanted = true;
    // Without the list the guide does all that it is for.
    listTokens()
      .then((answer) => wanted && setTokens(answer.tokens))
      .catch(() => {});
    return () => {
      wanted = false;
    };
  }, [current]);

  const revoke = async (id: number) => {
    setBusy(id);
    try {
      await revokeToken(id);
      setTokens((before) => before.filter((token) => token.id !== id));
      toast(t("agents.guide.revoked"));
    } catch (error) {
      toast(`${t("agents.guide.revokeFailed")}: ${words(error)}`, { tone: "bad" });
    } finally {
      setBusy(undefined);
    }
  };

  const open = tokens.filter(({ id, used }) => !used && id !== current);
  if (open.length === 0) return null;
  return (
    <details className="open-tokens">
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
