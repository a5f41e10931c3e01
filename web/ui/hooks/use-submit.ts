import { useEffect, useRef, useState, useTransition } from "react";
import { useLocation } from "wouter";
import { useFailureText, useFieldErrors } from "./use-error-text";

/** Navigates to a path after a delay in ms, unless the component is unmounted before. */
export const useDelayedNavigate = () => {
  const [, navigate] = useLocation();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (path: string, after: number) => {
    timer.current = setTimeout(() => navigate(path), after);
  };
};

/**
 * Submits a form. `failed` begins the error text when the call fails; `wrong` returns the server's error for a field,
 * `refuse` sets an error that the page itself finds, and `clear` removes it when a field is edited. The form keeps its input.
 */
export const useSubmit = (failed: string) => {
  const failureText = useFailureText();
  const fields = useFieldErrors();
  const [error, refuse] = useState<string>();
  const [busy, start] = useTransition();

  const submit = (send: () => Promise<void>) =>
    start(async () => {
      refuse(undefined);
      try {
        await send();
        fields.keep(undefined);
      } catch (failure) {
        fields.keep(failure);
        refuse(failureText(failed, failure));
      }
    });

  return { submit, refuse, clear: () => refuse(undefined), error, busy, wrong: fields.of };
};
