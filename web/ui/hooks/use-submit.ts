import { useState, useTransition } from "react";
import { useFailureText } from "./use-error-text";
import { useFieldErrors } from "./use-field-errors";

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
