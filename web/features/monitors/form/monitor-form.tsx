import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { LIMITS } from "../../../../src/shared/limits";
import { text, whole } from "../../../lib/form";
import { Field } from "../../../ui/controls/field";
import { Form, FormFoot } from "../../../ui/controls/form";
import { Segments } from "../../../ui/controls/segments";
import { useSubmit } from "../../../ui/hooks/use-submit";
import type { Monitor, MonitorBody } from "../api";
import type { KindView } from "./kinds/kind";
import { KINDS, kindOf } from "./kinds/registry";

/** Seconds as minutes of the form, with two decimals if another client stored a fraction. */
export const minutesOf = (seconds: number) => String(Math.round((seconds / 60) * 100) / 100);

/** The body to save. An interval that was not edited keeps its stored seconds. */
export const toMonitorBody = (
  form: FormData,
  { toConfig }: Pick<KindView, "toConfig">,
  monitor: Monitor | undefined,
  stored: number,
): MonitorBody => ({
  name: text(form, "name"),
  ...toConfig(form, monitor),
  interval: text(form, "interval") === minutesOf(stored) ? stored : whole(form, "interval") * 60,
  timeout: whole(form, "timeout"),
  retries: whole(form, "retries"),
});

/** The interval in whole minutes. A stored interval with seconds is accepted until it is edited. */
function IntervalField({ seconds, error }: { seconds: number; error?: string }) {
  const { t } = useTranslation();
  const [asStored, setAsStored] = useState(true);
  const stored = minutesOf(seconds);

  return (
    <Field label={t("monitors.form.interval")} hint={t("monitors.form.intervalHint")} error={error}>
      <input
        name="interval"
        type="number"
        required
        min={1}
        max={LIMITS.intervalMax / 60}
        step={asStored ? "any" : 1}
        defaultValue={stored}
        onChange={(event) => setAsStored(event.target.value === stored)}
      />
    </Field>
  );
}

const initial = { interval: 60, timeout: 30, retries: 1 };

type Props = {
  /** The monitor to edit; undefined for a new one. */
  monitor?: Monitor;
  submit: string;
  failed: string;
  cancelTo: string;
  onSave: (body: MonitorBody) => Promise<void>;
};

export function MonitorForm({ monitor, submit, failed, cancelTo, onSave }: Props) {
  const { t } = useTranslation();
  const form = useSubmit(failed);
  const { interval, timeout, retries } = monitor ?? initial;
  const [kind, setKind] = useState(monitor?.kind ?? KINDS[0].kind);
  // The name is state of this component, because choosing another kind mounts other fields.
  const [name, setName] = useState(monitor?.name ?? "");
  const view = kindOf(kind);

  const onValid = (fields: FormData, element: HTMLFormElement) => {
    const body = toMonitorBody(fields, view, monitor, interval);
    view.complete?.(element);
    form.submit(() => onSave(body));
  };

  const common = {
    name: (
      <Field key="name" label={t("monitors.form.name")} error={form.wrong("name")}>
        <input
          name="name"
          required
          maxLength={LIMITS.monitorName}
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder={t("monitors.form.namePlaceholder")}
          autoComplete="off"
        />
      </Field>
    ),
    timing: (
      <div key="timing" className="pair">
        <IntervalField seconds={interval} error={form.wrong("interval")} />
        <Field label={t("monitors.form.timeout")} hint={t("monitors.form.timeoutHint")} error={form.wrong("timeout")}>
          <input
            name="timeout"
            type="number"
            required
            min={1}
            max={LIMITS.timeoutMax}
            step={1}
            defaultValue={timeout}
          />
        </Field>
      </div>
    ),
    retries: (
      <Field
        key="retries"
        label={t("monitors.form.retries")}
        hint={t("monitors.form.retriesHint")}
        error={form.wrong("retries")}
      >
        <input name="retries" type="number" min={0} max={LIMITS.retriesMax} step={1} defaultValue={retries} />
      </Field>
    ),
  };

  return (
    <Form of={form} className="sheet" onValid={onValid}>
      {!monitor && (
        <Segments
          label={t("monitors.form.kind")}
          choices={KINDS.map(({ kind, label }) => ({ value: kind, label: label(t) }))}
          chosen={kind}
          onChoose={setKind}
        />
      )}
      <view.Fields key={kind} monitor={monitor} wrong={form.wrong} common={common} />
      <FormFoot of={form} submit={submit} sticky>
        <Link href={cancelTo} className="button quiet">
          {t("common.action.cancel")}
        </Link>
      </FormFoot>
    </Form>
  );
}
