import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { CallError } from "../../../api";
import { storedInTab, storeInTab } from "../../../lib/storage";
import { paths } from "../../../paths";
import { Copyable } from "../../../ui/controls/copy-button";
import { Icon } from "../../../ui/controls/icon";
import { Ago } from "../../../ui/feedback/ago";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import { useFormat } from "../../../ui/hooks/use-format";
import { generateToken, listTokens, revokeToken } from "../api";

type State = {
  token: string | undefined;
  id: number | undefined;
  /** How many machines may enroll with it, and until when. */
  uses: number;
  expiresAt: string | undefined;
  downloads: readonly string[];
  error: unknown;
  busy: boolean;
};
type StoredToken = { id: number; token: string };

const KEY = "enrollment-token";

/** The token that this tab created last, or null. The hub lists tokens without their values, so the tab stores it. */
const storedToken = (): StoredToken | null => {
  try {
    const stored: StoredToken | null = JSON.parse(storedInTab(KEY) ?? "null");
    return typeof stored?.token === "string" ? stored : null;
  } catch {
    return null;
  }
};

/** The uses and the end of a token for one machine. */
const SINGLE = { uses: 1, expiresAt: undefined };

const createToken = async () => {
  const { token, id, downloads } = await generateToken();
  storeInTab(KEY, JSON.stringify({ id, token }));
  return { token, id, downloads, ...SINGLE };
};

/** A token for several machines. The tab does not store it: the next visit is about another machine. */
const createShared = async (wanted: { uses: number; expires_at: string }) => {
  const { token, id, downloads, uses, expires_at: expiresAt } = await generateToken(wanted);
  return { token, id, downloads, uses, expiresAt };
};

/** The stored token while a machine can still enroll with it, otherwise a new one. */
export const reusableToken = async () => {
  const stored = storedToken();
  if (!stored) return createToken();
  const { tokens, downloads } = await listTokens();
  return tokens.some(({ id, used }) => id === stored.id && !used) ? { ...stored, downloads, ...SINGLE } : createToken();
};

/**
 * An enrollment token and the agent programs that the hub offers. `reuse` prefers this tab's unused token to a new one,
 * as on opening; `renew` always creates one; `share` creates one for several machines, and throws what refuses it.
 */
export const useToken = () => {
  const [state, setState] = useState<State>({
    token: undefined,
    id: undefined,
    downloads: [],
    ...SINGLE,
    error: undefined,
    busy: true,
  });
  const started = useRef(false);

  const load = useCallback(async (find: typeof createToken) => {
    setState((before) => ({ ...before, busy: true }));
    try {
      setState({ ...(await find()), error: undefined, busy: false });
    } catch (error) {
      setState((before) => ({ ...before, error, busy: false }));
    }
  }, []);

  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void load(reusableToken);
  }, [load]);

  const share = async (wanted: Parameters<typeof createShared>[0]) => {
    setState({ ...(await createShared(wanted)), error: undefined, busy: false });
  };

  return { ...state, reuse: () => void load(reusableToken), renew: () => void load(createToken), share };
};

type Token = Awaited<ReturnType<typeof listTokens>>["tokens"][number];

type OpenProps = {
  /** The id of the displayed token. */
  current: number | undefined;
  /** Whether no token can be created until one of these is revoked: then the list is expanded. */
  full: boolean;
  onRevoked: (() => void) | undefined;
};

/** The servers that enrolled with a token for several. */
function EnrolledServers({ servers }: Pick<Token, "servers">) {
  const { t } = useTranslation();
  if (servers.length === 0) return null;
  return (
    <details>
      <summary className="small">{t("enrollment.servers", { count: servers.length })}</summary>
      <ul className="enrolled-servers small">
        {servers.map(({ id, name }) => (
          <li key={id}>
            <Link href={paths.agent(id)}>{name}</Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The viewer's other tokens that machines may still use, each with a button that revokes it. */
function OpenTokens({ current, full, onRevoked }: OpenProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const format = useFormat();
  const [tokens, setTokens] = useState<readonly Token[]>([]);
  const [busy, setBusy] = useState<number>();

  useEffect(() => {
    if (current === undefined && !full) return;
    let ignore = false;
    // The guide works without this list, so a failure is not shown.
    listTokens()
      .then((answer) => !ignore && setTokens(answer.tokens))
      .catch(() => {});
    return () => {
      ignore = true;
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
      toast(`${t("agents.guide.revokeFailed")}: ${errorText(error)}`, { tone: "bad" });
    } finally {
      setBusy(undefined);
    }
  };

  const open = tokens.filter(({ id, uses_left }) => uses_left > 0 && id !== current);
  if (open.length === 0) return null;
  return (
    <details className="open-tokens" open={full || undefined}>
      <summary>{t("agents.guide.openTokens", { count: open.length })}</summary>
      <ul>
        {open.map(({ id, created_at, uses, uses_left, expires_at, servers }) => (
          <li key={id}>
            <div>
              <span className="soft small">
                {t("agents.guide.tokenMade")} <Ago time={created_at} />
                {uses > 1 && ` · ${t("enrollment.left", { left: uses_left, uses, time: format.dateTime(expires_at) })}`}
              </span>
              <EnrolledServers servers={servers} />
            </div>
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

type Props = Pick<State, "token" | "id" | "uses" | "error" | "busy"> & { renew: () => void };

/** The token with its validity, a button for a new one, and the other open tokens. */
export function GuideToken({ token, id, uses, error, busy, renew }: Props) {
  const { t } = useTranslation();
  const errorText = useErrorText();
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
            : `${t("agents.guide.tokenFailed")}: ${errorText(error)}`}
        </p>
      )}
      {uses === 1 && (
        <>
          <span className="hint">{t("agents.guide.tokenHint")}</span>
          <div className="actions">
            <button type="button" className="plain compact" disabled={busy} aria-busy={busy} onClick={renew}>
              <Icon name="key" />
              {t("agents.guide.newToken")}
            </button>
            <span className="soft small">{t("agents.guide.onePerMachine")}</span>
          </div>
        </>
      )}
      <OpenTokens
        current={id}
        full={quota !== undefined}
        onRevoked={quota && token === undefined ? renew : undefined}
      />
    </div>
  );
}
