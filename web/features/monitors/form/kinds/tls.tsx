import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { DEFAULT_CERTIFICATE_DAYS } from "../../../../../src/shared/certificate";
import { LIMITS } from "../../../../../src/shared/limits";
import { STARTTLS_PROTOCOLS, type StarttlsProtocol } from "../../../../../src/shared/monitor";
import { text, whole } from "../../../../lib/form";
import { Field } from "../../../../ui/controls/field";
import type { Monitor } from "../../api";
import { CertificateDaysField, certificateDaysFact, readDays } from "./fields/certificate-days";
import { HostField, invalidHost, isHost, PortField, splitHost } from "./fields/host-fields";
import type { KindView } from "./kind";

type TlsFields = {
  host: string;
  port: number;
  starttls: StarttlsProtocol | null;
  server_name: string | null;
  fingerprint: string | null;
  days: number[];
};
const fieldsOf = (monitor?: Monitor) => monitor?.config as TlsFields | undefined;

/** The usual port of each protocol, and of TLS from the start. */
const PORTS: Record<StarttlsProtocol | "", number> = {
  "": 443,
  smtp: 587,
  imap: 143,
  pop3: 110,
  ftp: 21,
  postgres: 5432,
};

/** The name of a protocol; TLS from the start for none. */
const nameOf = (protocol: StarttlsProtocol | null, t: TFunction) =>
  protocol === null
    ? t("kinds.tls.direct")
    : t("kinds.tls.after", { protocol: protocol === "postgres" ? "PostgreSQL" : protocol.toUpperCase() });

/** Replaces the usual port of one protocol by that of another. */
const changePort = (select: HTMLSelectElement) => {
  const port = select.form?.elements.namedItem("port") as HTMLInputElement | null;
  const isUsual = port && (port.value === "" || Object.values(PORTS).includes(Number(port.value)));
  if (isUsual) port.value = String(PORTS[select.value as StarttlsProtocol | ""]);
};

const Target: KindView["Target"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  const stored = fieldsOf(monitor);
  return (
    <>
      <div className="host-port">
        <HostField stored={stored?.host} wrong={wrong} />
        <PortField stored={stored?.port ?? PORTS[""]} wrong={wrong} />
      </div>
      <Field label={t("kinds.tls.begin")} error={wrong("starttls")}>
        <select
          name="starttls"
          defaultValue={stored?.starttls ?? ""}
          onChange={(event) => changePort(event.currentTarget)}
        >
          {[null, ...STARTTLS_PROTOCOLS].map((protocol) => (
            <option key={protocol} value={protocol ?? ""}>
              {nameOf(protocol, t)}
            </option>
          ))}
        </select>
      </Field>
    </>
  );
};

const Settings: KindView["Settings"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  const stored = fieldsOf(monitor);
  return (
    <>
      <CertificateDaysField name="days" stored={stored?.days ?? DEFAULT_CERTIFICATE_DAYS} error={wrong("days")} />
      <Field
        label={t("kinds.tls.serverName")}
        hint={t("kinds.tls.serverNameHint")}
        optional
        error={wrong("server_name")}
      >
        <input
          name="server_name"
          type="text"
          maxLength={LIMITS.host}
          defaultValue={stored?.server_name ?? ""}
          placeholder="mail.example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field
        label={t("kinds.tls.fingerprint")}
        hint={t("kinds.tls.fingerprintHint")}
        optional
        error={wrong("fingerprint")}
      >
        <input
          name="fingerprint"
          type="text"
          maxLength={200}
          defaultValue={stored?.fingerprint ?? ""}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
    </>
  );
};

/** The digits of a fingerprint, without the colons that other programs put between them. */
const digitsOf = (form: FormData) => text(form, "fingerprint").replaceAll(":", "");

/** The certificate of a port. */
export const tls: KindView = {
  kind: "tls",
  isCertificate: true,
  label: (t) => t("kinds.tls.label"),
  question: (t) => t("kinds.tls.question"),
  hint: (t) => t("kinds.tls.hint"),
  Target,
  Settings,
  settings: (t) => [t("kinds.certificate.days"), t("kinds.tls.serverName"), t("kinds.tls.fingerprint")],
  complete: splitHost,
  invalid: (form) => [
    ...invalidHost(form),
    ...(readDays(form, "days") ? [] : ["days"]),
    ...(text(form, "server_name") === "" || isHost(text(form, "server_name")) ? [] : ["server_name"]),
    ...(/^([\da-f]{64})?$/i.test(digitsOf(form)) ? [] : ["fingerprint"]),
  ],
  nameOf: (form) => text(form, "host"),
  toConfig: (form) => ({
    kind: "tls",
    config: {
      host: text(form, "host"),
      port: whole(form, "port"),
      starttls: text(form, "starttls") || null,
      server_name: text(form, "server_name") || null,
      fingerprint: digitsOf(form).toLowerCase() || null,
      days: readDays(form, "days") ?? [],
    },
  }),
  certificateDays: (monitor) => fieldsOf(monitor)?.days ?? [],
  facts: (monitor, t) => {
    const { host, port, starttls, server_name, fingerprint, days = [] } = fieldsOf(monitor) ?? ({} as TlsFields);
    return {
      target: [
        { label: t("monitors.detail.kind"), value: t("kinds.tls.label") },
        { label: t("monitors.detail.host"), value: host },
        { label: t("monitors.detail.port"), value: port },
        { label: t("kinds.tls.begin"), value: nameOf(starttls ?? null, t) },
      ],
      rules: [
        ...(server_name ? [{ label: t("kinds.tls.serverName"), value: server_name }] : []),
        ...(fingerprint ? [{ label: t("kinds.tls.fingerprint"), value: <code>{fingerprint}</code>, wide: true }] : []),
        certificateDaysFact(days, t),
      ],
    };
  },
};
