import { useAtomValue } from "jotai";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { LIMITS, METHODS } from "../../../../src/shared/limits";
import { ADDRESS_PATTERN, isPrivateAddress, withScheme } from "../../../lib/web-address";
import { sessionAtom } from "../../../session";
import { Field } from "../../../ui/controls/field";
import { FormFoot } from "../../../ui/controls/form-foot";
import { useSubmit } from "../../../ui/hooks/use-submit";
import type { HttpFields, MonitorDetail } from "../calls";
import { BodyField } from "./body-field";
import { HeaderFields } from "./header-fields";
import { IntervalField } from "./interval-field";
import { type MonitorBody, sendsBody, toMonitorBody } from "./monitor-body";
import { StatusSelect } from "./status-select";

type Values = Pick<MonitorDetail, "name" | "interval" | "timeout" | "retries"> & HttpFields;

export const newMonitor: Values = {
  name: "",
  url: "",
  method: "GET",
  interval: 60,
  timeout: 30,
  expected_status: 200,
  headers: {},
  body: "",
  retries: 1,
};

type Props = {
  values: Values;
  submit: string;
  failed: string;
  cancelTo: string;
  onSave: (body: MonitorBody) => Promise<void>;
};

/** Writes the scheme that will be used into the field, so that nothing is saved that was not seen. */
const showScheme = ({ currentTarget: field }: { currentTarget: HTMLInputElement }) => {
  field.value = withScheme(field.value);
};

export function MonitorForm({ values, submit, failed, cancelTo, onSave }: Props) {
  const { t } = useTranslation();
  const form = useSubmit(failed);
  const { user } = useAtomValue(sessionAtom);
  const [url, setUrl] = useState(values.url);
  const isBlocked = user?.role === "user" && isPrivateAddress(url);
  const [method, setMethod] = useState<string>(values.method);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = toMonitorBody(new FormData(event.currentTarget), values);
    showScheme({ currentTarget: event.currentTarget.elements.namedItem("url") as HTMLInputElement });
    form.submit(() => onSave(body));
  };

  return (
    <form className="sheet" onSubmit={onSubmit}>
      <section className="card">
        <h2>{t("monitors.form.basics")}</h2>
        <Field label={t("monitors.form.name")} error={form.wrong("name")}>
          <input
            name="name"
            required
            maxLength={LIMITS.monitorName}
            defaultValue={values.name}
            placeholder={t("monitors.form.namePlaceholder")}
            autoComplete="off"
          />
        </Field>
        <div className="address">
          <Field label={t("monitors.form.method")} error={form.wrong("method")}>
            <select name="method" value={method} onChange={(event) => setMethod(event.target.value)}>
              {METHODS.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </Field>
          <Field
            label={t("monitors.form.url")}
            warning={isBlocked ? t("monitors.form.privateAddress") : undefined}
            error={form.wrong("url")}
          >
            <input
              name="url"
              type="text"
              required
              maxLength={LIMITS.url}
              pattern={ADDRESS_PATTERN}
              onBlur={showScheme}
              onChange={(event) => setUrl(event.target.value)}
              title={t("errors.field.url")}
              defaultValue={values.url}
              placeholder="https://example.com/health"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        </div>
      </section>

      <section className="card">
        <h2>{t("monitors.form.expectations")}</h2>
        <div className="pair">
          <IntervalField seconds={values.interval} error={form.wrong("interval")} />
          <Field label={t("monitors.form.timeout")} hint={t("monitors.form.timeoutHint")} error={form.wrong("timeout")}>
            <input
              name="timeout"
              type="number"
              required
              min={1}
              max={LIMITS.timeoutMax}
              step={1}
              defaultValue={values.timeout}
            />
          </Field>
        </div>
        <Field
          label={t("monitors.form.expected")}
          hint={t("monitors.form.expectedHint")}
          error={form.wrong("expected_status")}
        >
          <StatusSelect defaultValue={values.expected_status} required />
        </Field>
      </section>

      <section className="card">
        <h2>{t("monitors.form.request")}</h2>
        <HeaderFields headers={values.headers} error={form.wrong("headers")} />
        <BodyField body={values.body} sent={sendsBody(method)} error={form.wrong("body")} />
        <details>
          <summary>{t("monitors.form.advanced")}</summary>
          <Field label={t("monitors.form.retries")} hint={t("monitors.form.retriesHint")} error={form.wrong("retries")}>
            <input
              name="retries"
              type="number"
              min={0}
              max={LIMITS.retriesMax}
              step={1}
              defaultValue={values.retries}
            />
          </Field>
        </details>
      </section>

      <FormFoot error={form.error} busy={form.busy} submit={submit}>
        <Link href={cancelTo} className="button quiet">
          {t("common.action.cancel")}
        </Link>
      </FormFoot>
    </form>
  );
}
