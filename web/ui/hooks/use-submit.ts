import { useState, useTransition } from "react";
import { useFailureText } from "./use-error-text";
import { useFieldErrors } from "./use-field-errors";

/**
 * Sends a form. `failed` is what is said when that does not work, before the reason; `wrong` gives the server's complaint
 * about a field, `refuse` says what the page itself sees, `clear` takes that back when a field is edited. What was typed stays in either case.
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
