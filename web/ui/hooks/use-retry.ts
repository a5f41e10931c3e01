import { useEffect, useRef } from "react";
import { onRetry } from "../../lib/offline/connection";

/** Milliseconds between two attempts. */
const PAUSE = 5000;

/** Whether a call failed because of the server or the network. Not by CallError, which the status page does not have. */
const isPassing = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const status = "status" in error ? Number(error.status) : 0;
  return status === 0 || status >= 500;
};

/** Repeats a call that failed because the server or the network is unavailable: every 5 s, and when the browser is online again. */
export const useRetry = (error: unknown, retry: () => void): void => {
  const latest = useRef(retry);
  latest.current = retry;
  const isOn = isPassing(error);
  useEffect(() => (isOn ? onRetry(() => latest.current(), PAUSE) : undefined), [isOn]);
};
