import { useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../../../src/shared/limits";
import { text, whole } from "../../../../../lib/form";
import { isPrivateAddress } from "../../../../../lib/web-address";
import { sessionAtom } from "../../../../../session";
import { Field } from "../../../../../ui/controls/field";
import type { FieldsProps } from "../kind";

/** A URL with the host, for the check of private addresses; an IPv6 address is put in brackets. */
const asUrl = (host: string) => `http://${host.includes(":") ? `[${host.replace(/^\[|\]$/g, "")}]` : host}/`;

/** Whether a text is a host name or an IP address, as the hub understands it. */
export const isHost = (host: string): boolean =>
  host !== "" && !/[\s/?#@\\%]/.test(host) && Boolean(URL.parse(asUrl(host))?.hostname);

/** Splits a pasted `host:port`, or an address with a scheme, into the two fields. A port that was typed stays. */
export const splitHost = (form: HTMLFormElement): void => {
  const host = form.elements.namedItem("host") as HTMLInputElement;
  const port = form.elements.namedItem("port") as HTMLInputElement | null;
  const [, name, number] =
    /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]+)(?::(\d+))?(?:[/?#].*)?$/i.exec(host.value.trim()) ??
    [];
  if (!name) return;
  host.value = name;
  if (number && port && ["", port.defaultValue].includes(port.value)) port.value = number;
};

/** The names of the fields of a host, and of a port if there is one, whose values are wrong. */
export const invalidHost = (form: FormData): string[] => [
  ...(isHost(text(form, "host")) ? [] : ["host"]),
  ...(!form.has("port") || (whole(form, "port") >= 1 && whole(form, "port") <= 65_535) ? [] : ["port"]),
];

/** The field of a host name or an IP address. */
export function HostField({
  stored,
  placeholder = "db.example.com",
  wrong,
}: { stored?: string; placeholder?: string } & Pick<FieldsProps, "wrong">) {
  const { t } = useTranslation();
  const { user } = useAtomValue(sessionAtom);
  const [host, setHost] = useState(stored ?? "");
  const isBlocked = user?.role === "user" && isPrivateAddress(asUrl(host.trim()));
  return (
    <Field
      label={t("monitors.form.host")}
      warning={isBlocked ? t("monitors.form.privateAddress") : undefined}
      error={wrong("host")}
    >
      <input
        name="host"
        type="text"
        required
        maxLength={LIMITS.host}
        onBlur={(event) => event.currentTarget.form && splitHost(event.currentTarget.form)}
        onChange={(event) => setHost(event.target.value)}
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

/** The field of a TCP port. */
export function PortField({ stored, wrong }: { stored?: number } & Pick<FieldsProps, "wrong">) {
  const { t } = useTranslation();
  return (
    <Field label={t("monitors.form.port")} error={wrong("port")}>
      <input
        name="port"
        type="number"
        required
        min={1}
        max={65_535}
        step={1}
        defaultValue={stored}
        placeholder="5432"
      />
    </Field>
  );
}
