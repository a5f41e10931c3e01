import { useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../../../src/shared/limits";
import type { FieldOf } from "../../../../../../src/shared/monitor-kinds/field";
import { hostUrl } from "../../../../../../src/shared/monitor-kinds/host";
import { isPrivateAddress, isWebAddress, withScheme } from "../../../../../lib/web-address";
import { sessionAtom } from "../../../../../session";
import { Field } from "../../../../../ui/controls/field";

/** Adds a missing scheme to an address, and replaces the scheme of another program. Other texts stay. */
export const completed = ({ schemes, alias }: FieldOf<"address">, text: string): string => {
  if (alias === undefined) return isWebAddress(text) ? withScheme(text) : text;
  return withScheme(text).replace(new RegExp(`^${alias}(?=s?://)`, "i"), schemes[0]);
};

/** Splits a pasted `host:port`, or an address with a scheme, into the two fields. A port that was typed stays. */
const splitHost = (form: HTMLFormElement, host: HTMLInputElement): void => {
  const port = form.elements.namedItem("port") as HTMLInputElement | null;
  const [, name, number] =
    /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]+)(?::(\d+))?(?:[/?#].*)?$/i.exec(host.value.trim()) ??
    [];
  if (!name) return;
  host.value = name;
  if (number && port && ["", port.defaultValue].includes(port.value)) port.value = number;
};

type TargetType = FieldOf<"host"> | FieldOf<"address">;

/** Completes the typed host or address in a form, so that the saved one is the displayed one. */
export const completeTarget = (form: HTMLFormElement, field: TargetType): void => {
  const input = form.elements.namedItem(field.name);
  if (!(input instanceof HTMLInputElement)) return;
  if (field.type === "host") splitHost(form, input);
  else input.value = completed(field, input.value);
};

type Props = { field: TargetType; label: string; placeholder?: string; stored?: string; error?: string };

/** The field of a host or an address, with a warning of a private one. */
export function TargetField({ field, label, placeholder, stored, error }: Props) {
  const { t } = useTranslation();
  const { user } = useAtomValue(sessionAtom);
  const [typed, setTyped] = useState(stored ?? "");
  // The check of private addresses knows web addresses.
  const address = field.type === "host" ? hostUrl(typed) : typed.replace(/^ws/i, "http");
  const isBlocked = user?.role === "user" && isPrivateAddress(address);
  return (
    <Field label={label} warning={isBlocked ? t("monitors.form.privateAddress") : undefined} error={error}>
      <input
        name={field.name}
        type="text"
        required
        maxLength={field.type === "host" ? LIMITS.host : LIMITS.url}
        onBlur={(event) => event.currentTarget.form && completeTarget(event.currentTarget.form, field)}
        onChange={(event) => setTyped(event.target.value)}
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
