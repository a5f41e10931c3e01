import { useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DEFAULT_CERTIFICATE_DAYS } from "../../../../../src/shared/certificate";
import { LIMITS } from "../../../../../src/shared/limits";
import { IP_FAMILIES, type IpFamily, METHODS, METHODS_WITH_BODY, type Method } from "../../../../../src/shared/monitor";
import { raw, text, whole } from "../../../../lib/form";
import { hostOf, isPrivateAddress, isWebAddress, withScheme } from "../../../../lib/web-address";
import { sessionAtom } from "../../../../session";
import { Field } from "../../../../ui/controls/field";
import type { HttpFields, Monitor } from "../../api";
import { HeaderFields } from "../header-fields";
import { expectedText, SEVERAL, StatusSelect } from "../status-select";
import { AssertionFields, AssertionList, toAssertions } from "./assertion-fields";
import { CertificateDaysField, certificateDaysFact, readDays } from "./fields/certificate-days";
import type { FieldsProps, KindView } from "./kind";

/** The request's body. A method without a body hides it but keeps it, for a change back to one with a body. */
function BodyField({ body, sent, error }: { body: string; sent: boolean; error?: string }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(body);

  if (!sent && !error) return <input type="hidden" name="body" value={typed} />;
  return (
    <Field label={t("monitors.form.body")} hint={t("monitors.form.bodyHint")} error={error}>
      <textarea
        name="body"
        rows={5}
        value={typed}
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Field>
  );
}

const initial: HttpFields = {
  url: "",
  method: "GET",
  expected_status: 200,
  expected_statuses: "",
  headers: {},
  body: "",
  assertions: [],
  accept_self_signed: false,
  ip_family: "any",
  certificate_days: [...DEFAULT_CERTIFICATE_DAYS],
};
const fieldsOf = (monitor?: Monitor): HttpFields => ({ ...initial, ...(monitor as HttpFields | undefined) });

const sendsBody = (method: string) => METHODS_WITH_BODY.some((other) => other === method);

/** Rows without a name are dropped. */
const toHeaders = (form: FormData) => {
  const values = form.getAll("header-value");
  const rows = form.getAll("header-name").map((name, row) => [String(name).trim(), String(values[row] ?? "").trim()]);
  return Object.fromEntries(rows.filter(([name]) => name));
};

/** The text as a field returns it: fields turn every line end into \n. */
const asShown = (body: string) => body.replaceAll(/\r\n?/g, "\n");

/** One status or class, or several. The single one is kept beside several. */
const toStatus = (form: FormData, { expected_status }: HttpFields) =>
  text(form, "expectedStatus") === SEVERAL
    ? { expectedStatus: expected_status, expected_statuses: text(form, "expected_statuses") }
    : { expectedStatus: whole(form, "expectedStatus"), expected_statuses: "" };

/** Completes the scheme in the field, so that the saved address is the displayed one. */
const showScheme = (field: HTMLInputElement) => {
  if (isWebAddress(field.value)) field.value = withScheme(field.value);
};

const Target: KindView["Target"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  const { user } = useAtomValue(sessionAtom);
  const stored = fieldsOf(monitor);
  const [url, setUrl] = useState(stored.url);
  const isBlocked = user?.role === "user" && isPrivateAddress(url);
  return (
    <Field
      label={t("monitors.form.url")}
      warning={isBlocked ? t("monitors.form.privateAddress") : undefined}
      error={wrong("url")}
    >
      <input
        name="url"
        type="text"
        required
        maxLength={LIMITS.url}
        onBlur={(event) => showScheme(event.currentTarget)}
        onChange={(event) => setUrl(event.target.value)}
        defaultValue={stored.url}
        placeholder="https://example.com/health"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </Field>
  );
};

/** How the connection is made. */
const ConnectionFields = ({ monitor, wrong }: FieldsProps) => {
  const { t } = useTranslation();
  const stored = fieldsOf(monitor);
  return (
    <>
      <Field label={t("kinds.http.family")} error={wrong("ip_family")}>
        <select name="ip_family" defaultValue={stored.ip_family}>
          {IP_FAMILIES.map((family) => (
            <option key={family} value={family}>
              {t(`kinds.http.families.${family}`)}
            </option>
          ))}
        </select>
      </Field>
      <div className="field">
        <label className="check">
          <input type="checkbox" name="accept_self_signed" defaultChecked={stored.accept_self_signed} />
          {t("kinds.http.selfSigned")}
        </label>
        <span className="hint">{t("kinds.http.selfSignedHint")}</span>
      </div>
    </>
  );
};

const Settings: KindView["Settings"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  const stored = fieldsOf(monitor);
  const [method, setMethod] = useState<string>(stored.method);
  const [several, setSeveral] = useState(stored.expected_statuses !== "");
  return (
    <>
      <div className="pair">
        <Field label={t("monitors.form.method")} error={wrong("method")}>
          <select name="method" value={method} onChange={(event) => setMethod(event.target.value)}>
            {METHODS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field
          label={t("monitors.form.expected")}
          hint={t("monitors.form.expectedHint")}
          error={wrong("expected_status")}
        >
          <StatusSelect
            defaultValue={stored.expected_statuses ? SEVERAL : stored.expected_status}
            required
            onSeveral={setSeveral}
          />
        </Field>
      </div>
      {several && (
        <Field label={t("kinds.http.statuses")} hint={t("kinds.http.statusesHint")} error={wrong("expected_statuses")}>
          <input
            name="expected_statuses"
            type="text"
            required
            maxLength={100}
            defaultValue={stored.expected_statuses}
            placeholder="200-299, 401"
            autoComplete="off"
          />
        </Field>
      )}
      <AssertionFields stored={stored.assertions} error={wrong("assertions")} />
      <HeaderFields headers={stored.headers} error={wrong("headers")} />
      <BodyField body={stored.body} sent={sendsBody(method)} error={wrong("body")} />
      <ConnectionFields monitor={monitor} wrong={wrong} />
      <CertificateDaysField
        name="certificate_days"
        stored={stored.certificate_days}
        error={wrong("certificate_days")}
      />
    </>
  );
};

/** A web address. In the API its fields are beside the common ones. */
export const http: KindView = {
  kind: "http",
  label: (t) => t("kinds.http.label"),
  question: (t) => t("kinds.http.question"),
  hint: (t) => t("kinds.http.hint"),
  Target,
  Settings,
  settings: (t) => [
    t("monitors.form.method"),
    t("monitors.form.expected"),
    t("kinds.http.assert.brief"),
    t("monitors.form.headers"),
  ],
  invalid: (form) => [
    ...(isWebAddress(text(form, "url")) ? [] : ["url"]),
    ...(readDays(form, "certificate_days") ? [] : ["certificate_days"]),
  ],
  nameOf: (form) => hostOf(text(form, "url")),
  hasEffects: (form) => !["GET", "HEAD"].includes(text(form, "method")),
  complete: (form) => showScheme(form.elements.namedItem("url") as HTMLInputElement),
  // A body that was not edited keeps its stored line ends.
  toConfig: (form, monitor) => ({
    url: withScheme(text(form, "url")),
    method: text(form, "method") as Method,
    ...toStatus(form, fieldsOf(monitor)),
    headers: toHeaders(form),
    body: raw(form, "body") === asShown(fieldsOf(monitor).body) ? fieldsOf(monitor).body : raw(form, "body"),
    assertions: toAssertions(form),
    ip_family: text(form, "ip_family") as IpFamily,
    accept_self_signed: form.has("accept_self_signed"),
    ...(form.has("certificate_days") && { certificate_days: readDays(form, "certificate_days") ?? [] }),
  }),
  certificateDays: (monitor) => fieldsOf(monitor).certificate_days,
  facts: (monitor, t) => {
    const { url, method, expected_status, expected_statuses, headers, body, ...fields } = fieldsOf(monitor);
    const { assertions, ip_family, accept_self_signed, certificate_days } = fields;
    const rows = Object.entries(headers).map(([name, value]) => (
      <div key={name}>
        <code>
          {name}: {value}
        </code>
      </div>
    ));
    return {
      target: [
        { label: t("monitors.detail.url"), value: url },
        { label: t("monitors.detail.method"), value: method },
      ],
      rules: [
        { label: t("monitors.detail.expected"), value: expected_statuses || expectedText(expected_status) },
        ...(assertions.length > 0
          ? [{ label: t("kinds.http.assert.brief"), value: <AssertionList assertions={assertions} />, wide: true }]
          : []),
        ...(ip_family === "any"
          ? []
          : [{ label: t("kinds.http.family"), value: t(`kinds.http.families.${ip_family}`) }]),
        ...(accept_self_signed ? [{ label: t("kinds.http.selfSigned"), value: t("kinds.http.accepted") }] : []),
        ...(url.startsWith("https:") ? [certificateDaysFact(certificate_days, t)] : []),
      ],
      content: [
        { label: t("monitors.detail.headers"), value: rows.length > 0 ? rows : t("common.none"), wide: true },
        {
          label: t("monitors.detail.body"),
          value: sendsBody(method) && body ? <pre className="body">{body}</pre> : t("common.none"),
          wide: true,
        },
      ],
    };
  },
  href: ({ target }) => target,
};
