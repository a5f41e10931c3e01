import { useState } from "react";
import { useTranslation } from "react-i18next";
import { METHODS_WITH_BODY } from "../../../../../src/shared/monitor";
import type { Config } from "../../../../../src/shared/monitor-kinds/field";
import { http as description } from "../../../../../src/shared/monitor-kinds/http";
import { defaultsOf } from "../../../../../src/shared/monitor-kinds/validate";
import { raw, text, whole } from "../../../../lib/form";
import { Field } from "../../../../ui/controls/field";
import type { HttpFields } from "../../api";
import { HeaderFields } from "../header-fields";
import { expectedText, SEVERAL, StatusSelect } from "../status-select";
import { AssertionFields, AssertionList, toAssertions } from "./assertion-fields";
import { certificateDaysFact } from "./fields/certificate-days";
import type { ControlProps } from "./fields/kind-fields";
import { kindView } from "./view";

const sendsBody = (method: string) => METHODS_WITH_BODY.some((other) => other === method);

const bodyOf = (stored: Config | undefined) => String(stored?.body ?? "");

/** The request's body. A method without a body hides it but keeps it, for a change back to one with a body. */
function BodyField({ config, stored, wrong }: ControlProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(bodyOf(stored));
  const error = wrong("body");

  if (!sendsBody(String(config.method)) && !error) return <input type="hidden" name="body" value={typed} />;
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

/** Rows without a name are dropped. */
const toHeaders = (form: FormData) => {
  const values = form.getAll("header-value");
  const rows = form.getAll("header-name").map((name, row) => [String(name).trim(), String(values[row] ?? "").trim()]);
  return Object.fromEntries(rows.filter(([name]) => name));
};

/** The text as a field returns it: fields turn every line end into \n. */
const asShown = (body: string) => body.replaceAll(/\r\n?/g, "\n");

/** One status or class, or several. The single one is kept beside several. */
const toStatus = (form: FormData, stored: Config | undefined) =>
  text(form, "expectedStatus") === SEVERAL
    ? { expectedStatus: stored?.expected_status ?? 200, expected_statuses: text(form, "expected_statuses") }
    : { expectedStatus: whole(form, "expectedStatus"), expected_statuses: "" };

/** The status that is stored, or chosen as a text. */
const chosenStatus = ({ expected_status = 200 }: Config, stored: Config | undefined) =>
  typeof expected_status === "number" && stored?.expected_statuses
    ? SEVERAL
    : (expected_status as number | typeof SEVERAL);

function StatusField({ stored, wrong, pick }: ControlProps) {
  const { t } = useTranslation();
  return (
    <Field label={t("monitors.form.expected")} hint={t("monitors.form.expectedHint")} error={wrong("expected_status")}>
      <StatusSelect
        defaultValue={chosenStatus(stored ?? {}, stored)}
        required
        onSeveral={(several) => pick(several ? SEVERAL : "")}
      />
    </Field>
  );
}

function StatusesField({ config, stored, wrong }: ControlProps) {
  const { t } = useTranslation();
  if (chosenStatus(config, stored) !== SEVERAL) return null;
  return (
    <Field label={t("kinds.http.statuses")} hint={t("kinds.http.statusesHint")} error={wrong("expected_statuses")}>
      <input
        name="expected_statuses"
        type="text"
        required
        maxLength={100}
        defaultValue={String(stored?.expected_statuses ?? "")}
        placeholder="200-299, 401"
        autoComplete="off"
      />
    </Field>
  );
}

/** A web address. In the API its fields are beside the common ones. */
export const http = kindView(
  description,
  {
    expected_status: { Control: StatusField, read: toStatus },
    expected_statuses: { Control: StatusesField, read: () => ({}) },
    headers: {
      Control: ({ stored, wrong }) => (
        <HeaderFields headers={(stored as HttpFields | undefined)?.headers ?? {}} error={wrong("headers")} />
      ),
      read: (form) => ({ headers: toHeaders(form) }),
    },
    // A body that was not edited keeps its stored line ends.
    body: {
      Control: BodyField,
      read: (form, stored) => ({
        body: raw(form, "body") === asShown(bodyOf(stored)) ? bodyOf(stored) : raw(form, "body"),
      }),
    },
    assertions: {
      Control: ({ stored, wrong }) => (
        <AssertionFields stored={(stored as HttpFields | undefined)?.assertions ?? []} error={wrong("assertions")} />
      ),
      read: (form) => ({ assertions: toAssertions(form) }),
    },
  },
  {
    settings: (t) => [
      t("monitors.form.method"),
      t("monitors.form.expected"),
      t("kinds.http.assert.brief"),
      t("monitors.form.headers"),
    ],
    hasEffects: (form) => !["GET", "HEAD"].includes(text(form, "method")),
    facts: (monitor, t) => {
      const { url, method, expected_status, expected_statuses, headers, body, ...fields } = {
        ...defaultsOf(description.fields),
        ...monitor,
      } as HttpFields;
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
          ...(monitor.inverted ? [{ label: t("kinds.inverted.label"), value: t("kinds.inverted.meaning") }] : []),
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
  },
);
