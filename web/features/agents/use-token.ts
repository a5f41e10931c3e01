import { useCallback, useEffect, useRef, useState } from "react";
import { generateToken } from "./calls";

type State = {
  token: string | undefined;
  id: number | undefined;
  downloads: readonly string[];
  error: unknown;
  busy: boolean;
};

/** A token made when the guide opens, and another whenever one is asked for, with the programs that the console has. */
export const useToken = () => {
  const [state, setState] = useState<State>({
    token: undefined,
    id: undefined,
    downloads: [],
    error: undefined,
    busy: true,
  });
  const asked = useRef(false);

  const renew = useCallback(async () => {
    setState((before) => ({ ...before, busy: true }));
    try {
      const { token, id, downloads } = await generateToken();
      setState({ token, id, downloads, error: undefined, busy: false });
    } catch (error) {
      setState((before) => ({ ...before, error, busy: false }));
    }
  }, []);

  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void renew();
  }, [renew]);

  return { ...state, renew: () => void renew() };
};
