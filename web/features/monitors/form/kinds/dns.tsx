import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  EXPECT_OPS,
  type Expectation,
  MAX_EXPECTED,
  MAX_EXPECTED_LENGTH,
  RECORD_TYPES,
  type RecordType,
} from "../../../../../src/shared/dns-record";
import { LIMITS } from "../../../../../src/shared/limits";
import { text } from "../../../../lib/form";
import { Field } from "../../../../ui/controls/field";
import type { Monitor } from "../../api";
import type { KindView } from "./kind";

type DnsFields = { name: string; type: RecordType; server: string | null; expect: Expectation | null };
const fieldsOf = (monitor?: Monitor) => monitor?.config as DnsFields | undefined;

/** An expected record of each type. */
const EXAMPLES: Record<RecordType, string> = {
  A: "192.0.2.1",
  AAAA: "2001:db8::1",
  CNAME: "www.example.net",
  MX: "10 mail.example.com",
  NS: "ns1.example.com",
  TXT: "v=spf1 include:_spf.example.com -all",
  SRV: "10 5 443 sip.example.com",
  SOA: "ns1.example.com",
  CAA: "letsencrypt.org",
  PTR: "host.example.com",
};

const typed = { type: "text", autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

/** What the records have to be, as a sentence that begins with the label of the choice. */
function ExpectFields({ stored, type, error }: { stored?: Expectation | null; type: RecordType; error?: string }) {
  const { t } = useTranslation();
  const [op, setOp] = useState<string>(stored?.op ?? "");
  return (
    <>
      <Field label={t("kinds.dns.expect", { type })}>
        <select name="op" defaultValue={op} onChange={(event) => setOp(event.target.value)}>
          <option value="">{t("kinds.dns.exist")}</option>
          {EXPECT_OPS.map((name) => (
            <option key={name} value={name}>
              {t(`kinds.dns.${name}`)}
            </option>
          ))}
        </select>
      </Field>
      {op !== "" && (
        <Field label={t("kinds.dns.values")} hint={t("kinds.dns.valuesHint")} error={error}>
          <textarea
            name="expect"
            required
            rows={3}
            maxLength={MAX_EXPECTED * (MAX_EXPECTED_LENGTH + 1)}
            defaultValue={stored?.values.join("\n")}
            placeholder={EXAMPLES[type]}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
      )}
    </>
  );
}

const Target: KindView["Target"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  const stored = fieldsOf(monitor);
  const [type, setType] = useState<RecordType>(stored?.type ?? "A");
  const isReverse = type === "PTR";
  return (
    <>
      <div className="pair">
        <Field label={t(isReverse ? "kinds.dns.address" : "kinds.dns.name")} error={wrong("config_name")}>
          <input
            {...typed}
            name="config_name"
            required
            maxLength={LIMITS.host}
            defaultValue={stored?.name}
            placeholder={isReverse ? "192.0.2.1" : "example.com"}
            inputMode="url"
          />
        </Field>
        <Field label={t("kinds.dns.type")} error={wrong("type")}>
          <select name="type" defaultValue={type} onChange={(event) => setType(event.target.value as RecordType)}>
            {RECORD_TYPES.map((name) => (
              <option key={name} value={name}>
                {t(`kinds.dns.types.${name}`)}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <ExpectFields stored={stored?.expect} type={type} error={wrong("expect")} />
    </>
  );
};

const Settings: KindView["Settings"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  return (
    <Field label={t("kinds.dns.server")} hint={t("kinds.dns.serverHint")} optional error={wrong("server")}>
      <input
        {...typed}
        name="server"
        maxLength={64}
        defaultValue={fieldsOf(monitor)?.server ?? ""}
        placeholder="192.0.2.53"
      />
    </Field>
  );
};

const linesOf = (form: FormData) =>
  text(form, "expect")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** A name as the hub accepts it, roughly: with PTR it may be an address. */
const isName = (name: string, type: string) =>
  type === "PTR" ? /^[^\s/?#@]+$/.test(name) : /^[^\s:?#@]+$/.test(name) && !/^\d+(\.\d+){3}$/.test(name);

const expectation = ({ op, values }: Expectation, t: TFunction) => (
  <>
    {t(`kinds.dns.${op}`)}
    {values.map((value) => (
      <div key={value}>
        <code>{value}</code>
      </div>
    ))}
  </>
);

/** The records of a name. */
export const dns: KindView = {
  kind: "dns",
  label: (t) => t("kinds.dns.label"),
  question: (t) => t("kinds.dns.question"),
  hint: (t) => t("kinds.dns.hint"),
  upLabel: (t) => t("kinds.dns.up"),
  Target,
  Settings,
  settings: (t) => [t("kinds.dns.server")],
  invalid: (form) => [
    ...(isName(text(form, "config_name"), text(form, "type")) ? [] : ["config_name"]),
    ...(text(form, "op") && (linesOf(form).length === 0 || linesOf(form).length > MAX_EXPECTED) ? ["expect"] : []),
  ],
  nameOf: (form) => {
    const name = text(form, "config_name");
    return name && `${name} ${text(form, "type")}`;
  },
  toConfig: (form) => ({
    kind: "dns",
    config: {
      name: text(form, "config_name"),
      type: text(form, "type"),
      server: text(form, "server") || null,
      expect: text(form, "op") ? { op: text(form, "op"), values: linesOf(form) } : null,
    },
  }),
  facts: (monitor, t) => {
    const { name, type, server, expect } = fieldsOf(monitor) ?? ({} as DnsFields);
    return {
      target: [
        { label: t("monitors.detail.kind"), value: t("kinds.dns.label") },
        { label: t(type === "PTR" ? "kinds.dns.address" : "kinds.dns.name"), value: name },
        { label: t("kinds.dns.type"), value: t(`kinds.dns.types.${type}`) },
        { label: t("kinds.dns.server"), value: server ?? t("kinds.dns.ownServers") },
      ],
      rules: [
        {
          label: t("kinds.dns.expect", { type }),
          value: expect ? expectation(expect, t) : t("kinds.dns.exist"),
          wide: Boolean(expect),
        },
      ],
    };
  },
};
