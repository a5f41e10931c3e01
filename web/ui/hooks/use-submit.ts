import { useEffect, useRef, useState, useTransition } from "react";
import { useLocation } from "wouter";
import { focusFirstWrong } from "../../lib/form";
import { useErrorText, useFailureText, useFieldErrors } from "./use-error-text";

/** Navigates to a path after a delay in ms, unless the component is unmounted before. */
export const useDelayedNavigate = () => {
  const [, navigate] = useLocation();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      clearTimeout(timer.current);
    };
  }, []);
  return (path: string, after: number) => {
    // A call to the hub may end after its page is left.
    if (isMounted.current) timer.current = setTimeout(() => navigate(path), after);
  };
};

type Options = { plain?: boolean; onRefused?: (error: unknown) => void };

/**
 * The state of one form, for `Form` and its fields. `failed` begins the error text when the call fails, or with `plain` is
 * the text only where the server gives no reason. `wrong` returns the error of a field, by its name in the API; an error
 * that belongs to no field of the form is in `error`. The form keeps its input. With `onRefused`, the caller shows the
 * errors of fields, and `error` has every failure.
 */
export const useSubmit = (failed: string, { plain = false, onRefused }: Options = {}) => {
  const failureText = useFailureText();
  const errorText = useErrorText();
  const fields = useFieldErrors();
  const element = useRef<HTMLFormElement>(null);
  const sending = useRef(false);
  const [error, setError] = useState<string>();
  const [refusals, setRefusals] = useState(0);
  const [saves, setSaves] = useState(0);
  const [busy, start] = useTransition();
  useEffect(() => {
    if (refusals > 0 && element.current) focusFirstWrong(element.current);
  }, [refusals]);

  /** Shows errors at fields; the first one gets the focus. */
  const refuse = (errors: Readonly<Record<string, string>>) => {
    setError(undefined);
    fields.set(errors);
    setRefusals((count) => count + 1);
  };

  /** Sends the form, then calls `next` with the result, unless the user has left the page. */
  const submit = <T>(send: () => Promise<T>, next?: (result: T) => void) => {
    sending.current = true;
    start(async () => {
      setError(undefined);
      fields.set({});
      try {
        const result = await send();
        setSaves((count) => count + 1);
        if (element.current) next?.(result);
      } catch (failure) {
        onRefused?.(failure);
        const isShown = !onRefused && fields.keep(failure, element.current ?? undefined);
        if (!isShown) setError(plain ? errorText(failure, failed) : failureText(failed, failure));
        setRefusals((count) => count + 1);
      } finally {
        sending.current = false;
      }
    });
  };

  return { submit, refuse, mark: fields.mark, element, sending, saves, error, busy, wrong: fields.of };
};

export type Submission = ReturnType<typeof useSubmit>;
