import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { dns as description } from "../../../../../src/shared/monitor-kinds/dns";
import {
  EXPECT_OPS,
  type Expectation,
  MAX_EXPECTED,
  MAX_EXPECTED_LENGTH,
  type RecordType,
} from "../../../../../src/shared/monitor-kinds/dns-record";
import { text } from "../../../../lib/form";
import { Field } from "../../../../ui/controls/field";
import type { ControlProps } from "./fields/kind-fields";
import { kindView } from "./view";

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

/** The expected records, as a sentence that begins with the label of the choice. */
function ExpectFields({ stored, config, wrong }: ControlProps) {
  const { t } = useTranslation();
  const expected = stored?.expect as Expectation | null | undefined;
  const type = config.type as RecordType;
  const [op, setOp] = useState<string>(expected?.op ?? "");
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
        <Field label={t("kinds.dns.values")} hint={t("kinds.dns.valuesHint")} error={wrong("expect")}>
          <textarea
            name="expect"
            required
            rows={3}
            maxLength={MAX_EXPECTED * (MAX_EXPECTED_LENGTH + 1)}
            defaultValue={expected?.values.join("\n")}
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
export const dns = kindView(
  description,
  {
    name: { isValid: (form) => isName(text(form, "config_name"), text(form, "type")) },
    expect: {
      Control: ExpectFields,
      read: (form) => ({ expect: text(form, "op") ? { op: text(form, "op"), values: linesOf(form) } : null }),
      isValid: (form) => text(form, "op") === "" || (linesOf(form).length > 0 && linesOf(form).length <= MAX_EXPECTED),
      fact: ({ type, expect }, t) => ({
        label: t("kinds.dns.expect", { type: String(type) }),
        value: expect ? expectation(expect as Expectation, t) : t("kinds.dns.exist"),
        wide: Boolean(expect),
      }),
    },
  },
  {
    nameOf: (form) => {
      const name = text(form, "config_name");
      return name && `${name} ${text(form, "type")}`;
    },
  },
);
