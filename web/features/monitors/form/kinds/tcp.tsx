import { useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../../src/shared/limits";
import { text, whole } from "../../../../lib/form";
import { isPrivateAddress } from "../../../../lib/web-address";
import { sessionAtom } from "../../../../session";
import { Field } from "../../../../ui/controls/field";
import type { Monitor } from "../../api";
import type { KindView } from "./kind";

type TcpFields = { host: string; port: number };
const fieldsOf = (monitor?: Monitor) => monitor?.config as TcpFields | undefined;

/** A URL with the host, for the check of private addresses; an IPv6 address is put in brackets. */
const asUrl = (host: string) => `http://${host.includes(":") ? `[${host.replace(/^\[|\]$/g, "")}]` : host}/`;

/** Whether a text is a host name or an IP address, as the hub understands it. */
const isHost = (host: string): boolean =>
  host !== "" && !/[\s/?#@\\%]/.test(host) && Boolean(URL.parse(asUrl(host))?.hostname);

/** Splits a pasted `host:port`, or an address with a scheme, into the two fields. */
const splitHost = (form: HTMLFormElement): void => {
  const host = form.elements.namedItem("host") as HTMLInputElement;
  const port = form.elements.namedItem("port") as HTMLInputElement;
  const [, name, number] =
    /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]+)(?::(\d+))?(?:[/?#].*)?$/i.exec(host.value.trim()) ??
    [];
  if (!name) return;
  host.value = name;
  if (number && port.value === "") port.value = number;
};

const Target: KindView["Target"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  const { user } = useAtomValue(sessionAtom);
  const stored = fieldsOf(monitor);
  const [host, setHost] = useState(stored?.host ?? "");
  const isBlocked = user?.role === "user" && isPrivateAddress(asUrl(host.trim()));

  return (
    <div className="host-port">
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
          defaultValue={stored?.host}
          placeholder="db.example.com"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field label={t("monitors.form.port")} error={wrong("port")}>
        <input
          name="port"
          type="number"
          required
          min={1}
          max={65_535}
          step={1}
          defaultValue={stored?.port}
          placeholder="5432"
        />
      </Field>
    </div>
  );
};

/** A TCP port. */
export const tcp: KindView = {
  kind: "tcp",
  label: (t) => t("monitors.kind.tcp"),
  Target,
  complete: splitHost,
  invalid: (form) => [
    ...(isHost(text(form, "host")) ? [] : ["host"]),
    ...(whole(form, "port") >= 1 && whole(form, "port") <= 65_535 ? [] : ["port"]),
  ],
  nameOf: (form) => text(form, "host"),
  toConfig: (form) => ({ kind: "tcp", config: { host: text(form, "host"), port: whole(form, "port") } }),
  facts: (monitor, t) => ({
    target: [
      { label: t("monitors.detail.kind"), value: t("monitors.kind.tcp") },
      { label: t("monitors.detail.host"), value: fieldsOf(monitor)?.host },
      { label: t("monitors.detail.port"), value: fieldsOf(monitor)?.port },
    ],
  }),
};
