import { useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../../../src/shared/limits";
import { isPrivateAddress } from "../../../../../lib/web-address";
import { sessionAtom } from "../../../../../session";
import { Field } from "../../../../../ui/controls/field";

type Props = {
  label: string;
  stored?: string;
  placeholder: string;
  error?: string;
  complete: (text: string) => string;
};

/** Completes the typed address in a form, so that the saved one is the displayed one. */
export const completeAddress = (form: HTMLFormElement, complete: (text: string) => string): void => {
  const field = form.elements.namedItem("url");
  if (field instanceof HTMLInputElement) field.value = complete(field.value);
};

/** The field of an address that is not that of a website. */
export function AddressField({ label, stored, placeholder, error, complete }: Props) {
  const { t } = useTranslation();
  const { user } = useAtomValue(sessionAtom);
  const [url, setUrl] = useState(stored ?? "");
  // The check of private addresses knows web addresses.
  const isBlocked = user?.role === "user" && isPrivateAddress(url.replace(/^ws/i, "http"));
  return (
    <Field label={label} warning={isBlocked ? t("monitors.form.privateAddress") : undefined} error={error}>
      <input
        name="url"
        type="text"
        required
        maxLength={LIMITS.url}
        onBlur={(event) => event.currentTarget.form && completeAddress(event.currentTarget.form, complete)}
        onChange={(event) => setUrl(event.target.value)}
        defaultValue={stored}
        placeholder={placeholder}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </Field>
  );
}
