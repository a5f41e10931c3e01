import { useCallback, useEffect, useRef, useState } from "react";
import { storedInTab, storeInTab } from "../../../lib/storage";
import { generateToken, listTokens } from "../calls";

type State = {
  token: string | undefined;
  id: number | undefined;
  downloads: readonly string[];
  error: unknown;
  busy: boolean;
};
type Kept = { id: number; token: string };

const KEY = "enrollment-token";

/** The token that this tab made last, or null. The server lists tokens without their values, so the tab keeps it. */
const keptToken = (): Kept | null => {
  try {
    const kept: Kept | null = JSON.parse(storedInTab(KEY) ?? "null");
    return typeof kept?.token === "string" ? kept : null;
  } catch {
    return null;
  }
};

const makeToken = async () => {
  const { token, id, downloads } = await generateToken();
  storeInTab(KEY, JSON.stringify({ id, token }));
  return { token, id, downloads };
};

/** The kept token while a machine can still enroll with it, otherwise a new one. */
const usableToken = async () => {
  const kept = keptToken();
  if (!kept) return makeToken();
  const { tokens, downloads } = await listTokens();
  return tokens.some(({ id, used }) => id === kept.id && !used) ? { ...kept, downloads } : makeToken();
};

/**
 * An enrollment token and the agent programs that the hub offers. `reuse` takes this tab's unused token before it makes
 * one, as on opening; `renew` always makes one.
 */
export const useToken = () => {
  const [state, setState] = useState<State>({
    token: undefined,
    id: undefined,
    downloads: [],
    error: undefined,
    busy: true,
  });
  const asked = useRef(false);

  const load = useCallback(async (find: typeof makeToken) => {
    setState((before) => ({ ...before, busy: true }));
    try {
      setState({ ...(await find()), error: undefined, busy: false });
    } catch (error) {
      setState((before) => ({ ...before, error, busy: false }));
    }
  }, []);

  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void load(usableToken);
  }, [load]);

  return { ...state, reuse: () => void load(usableToken), renew: () => void load(makeToken) };
};
