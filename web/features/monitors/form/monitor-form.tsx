import { type ComponentProps, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { LIMITS } from "../../../../src/shared/limits";
import { QUICK_RECHECK } from "../../../../src/shared/monitor";
import { text, whole } from "../../../lib/form";
import { Field } from "../../../ui/controls/field";
import { Form, FormFoot } from "../../../ui/controls/form";
import { Segments } from "../../../ui/controls/segments";
import { type Submission, useSubmit } from "../../../ui/hooks/use-submit";
import { TagsField, tagsIn } from "../../tags/tags-field";
import type { Monitor, MonitorBody } from "../api";
import type { Choice } from "./chooser";
import { IntervalField, intervalIn } from "./interval-field";
import type { KindView } from "./kinds/kind";
import { kindOf } from "./kinds/registry";
import { ProbeLine, useProbe } from "./probe-line";

/** The body to save. */
export const toMonitorBody = (
  form: FormData,
  { toConfig, passive }: Pick<KindView, "toConfig" | "passive">,
  monitor: Monitor | undefined,
  stored: number,
): MonitorBody => ({
  name: text(form, "name"),
  ...toConfig(form, monitor),
  ...tagsIn(form, monitor?.tags),
  ...(passive
    ? { interval: stored }
    : {
        interval: intervalIn(form, stored),
        timeout: whole(form, "timeout"),
        retries: whole(form, "retries"),
        retry_pause: whole(form, "retry_pause"),
        quick_recheck: form.has("quick_recheck"),
      }),
});

const initial = { interval: 60, timeout: 30, retries: 1, retry_pause: 1, quick_recheck: true };

type Props = {
  /** The monitor to edit; undefined for a new one. */
  monitor?: Monitor;
  /** The target of a new monitor. */
  choice?: Choice;
  onPreset?: (name: string) => void;
  /** Whether the first field gets the focus at first. */
  focus?: boolean;
  submit: string;
  failed: string;
  cancelTo: string;
  /** Saves the monitor, and returns the path to open next. */
  onSave: (body: MonitorBody) => Promise<string>;
};

/**
 * Fills the name of a new monitor in, until the user has written another one. Text entered after the field gets the focus
 * replaces the name that was filled in, whether the Tab key, a click or a program has moved the focus.
 */
const useNaming = (view: KindView, monitor: Monitor | undefined) => {
  const filled = useRef("");
  const isEntered = useRef(false);
  const fill = (form: HTMLFormElement): void => {
    const field = form.elements.namedItem("name");
    if (monitor || !(field instanceof HTMLInputElement) || ![filled.current, ""].includes(field.value.trim())) return;
    filled.current = view.nameOf(new FormData(form)).slice(0, LIMITS.monitorName);
    if (field.value === filled.current) return;
    field.value = filled.current;
    // The form drops the error of a field that changes.
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const isFilled = ({ value }: HTMLInputElement) => filled.current !== "" && value === filled.current;
  const enter = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    isEntered.current = true;
    if (isFilled(currentTarget)) currentTarget.select();
  };
  // The press of the mouse has placed the caret before this.
  const click = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    if (isEntered.current && isFilled(currentTarget)) currentTarget.select();
    isEntered.current = false;
  };
  return { fill, field: { onFocus: enter, onClick: click } };
};

type NumberProps = Omit<ComponentProps<"input">, "type" | "step"> & { label: string; hint: string; error?: string };

function NumberField({ label, hint, error, ...input }: NumberProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <input {...input} type="number" step={1} />
    </Field>
  );
}

/** `least`: the shortest interval of the kind in seconds, for kinds that have one. */
type ScheduleProps = { of: typeof initial; wrong: Submission["wrong"]; least?: number | undefined };

/** The retries of a check and the pause before each, and how long a failure lasts at least until it counts. */
function RetryFields({ of: stored, wrong }: ScheduleProps) {
  const { t } = useTranslation();
  const [{ retries, pause }, setEntered] = useState({ retries: stored.retries, pause: stored.retry_pause });
  const seconds = retries * pause;
  const failure =
    seconds > 0
      ? t("monitors.form.failureLasts", { count: retries, pause, seconds })
      : t("monitors.form.failureAtOnce");
  return (
    <div className="pair">
      <NumberField
        name="retries"
        label={t("monitors.form.retries")}
        hint={t("monitors.form.retriesHint")}
        error={wrong("retries")}
        min={0}
        max={LIMITS.retriesMax}
        defaultValue={stored.retries}
        onChange={({ target }) => setEntered({ retries: Number(target.value), pause })}
      />
      <NumberField
        name="retry_pause"
        label={t("monitors.form.retryPause")}
        hint={failure}
        error={wrong("retry_pause")}
        required
        min={1}
        max={LIMITS.retryPauseMax}
        defaultValue={stored.retry_pause}
        onChange={({ target }) => setEntered({ retries, pause: Number(target.value) })}
      />
    </div>
  );
}

/** When and how patiently the monitor is checked. */
function Schedule({ of, wrong, least }: ScheduleProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className="pair">
        <IntervalField seconds={of.interval} least={least} hint error={wrong("interval")} />
        <NumberField
          name="timeout"
          label={t("monitors.form.timeout")}
          hint={t("monitors.form.timeoutHint")}
          error={wrong("timeout")}
          required
          min={1}
          max={LIMITS.timeoutMax}
          defaultValue={of.timeout}
        />
      </div>
      <RetryFields of={of} wrong={wrong} />
      {/* Kinds with long intervals would only repeat their last answer. */}
      {least === undefined && (
        <div className="field">
          <label className="check">
            <input name="quick_recheck" type="checkbox" defaultChecked={of.quick_recheck} />
            {t("monitors.form.quickRecheck", QUICK_RECHECK)}
          </label>
        </div>
      )}
    </>
  );
}

type AboutProps = { choice: Choice; onPreset?: (name: string) => void };

/** A description of the choice, and its presets. */
function About({ choice: { tile, preset }, onPreset }: AboutProps) {
  const { t } = useTranslation();
  return (
    <div className="kind-hint">
      <h2>{tile.question(t)}</h2>
      <p className="soft small">{tile.hint(t)}</p>
      {tile.presets && onPreset && (
        <Segments
          label={t("kinds.preset")}
          choices={tile.presets.map(({ name, label }) => ({ value: name, label: label(t) }))}
          chosen={preset}
          onChoose={onPreset}
        />
      )}
    </div>
  );
}

const BRIEF = ["interval", "timeout", "retries"] as const;

/** The target first, which is all that a new monitor needs, and the rest in a fold. */
export function MonitorForm({ monitor, choice, onPreset, focus = true, submit, failed, cancelTo, onSave }: Props) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const form = useSubmit(failed);
  const view = choice?.view ?? kindOf(monitor?.kind ?? "");
  const { kind, passive, leastInterval } = view;
  const stored = monitor ?? { ...initial, interval: leastInterval ?? initial.interval };
  const preset = choice?.preset;
  const { state, probe, skip, reset } = useProbe(view, monitor);
  const naming = useNaming(view, monitor);

  const { element } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: stored values were checked before
  useLayoutEffect(() => {
    if (monitor && element.current) skip(element.current);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the result belongs to the previous choice
  useEffect(() => {
    if (!monitor) reset();
  }, [kind, preset]);

  const complete = (fields: HTMLFormElement) => {
    view.complete?.(fields);
    naming.fill(fields);
  };
  const check = (fields: FormData) =>
    Object.fromEntries((view.invalid?.(fields) ?? []).map((name) => [name, true as const]));
  const folded = [
    ...(view.settings?.(t) ?? []),
    ...(passive ? [] : BRIEF.map((name) => t(`monitors.form.brief.${name}`))),
  ];

  const name = (
    <Field label={t("monitors.form.name")} error={form.wrong("name")}>
      <input
        name="name"
        required
        maxLength={LIMITS.monitorName}
        defaultValue={monitor?.name}
        placeholder={t(passive ? "kinds.heartbeat.namePlaceholder" : "monitors.form.namePlaceholder")}
        autoComplete="off"
        {...naming.field}
      />
    </Field>
  );

  return (
    <Form
      of={form}
      className={choice ? "sheet" : "sheet monitor-form"}
      complete={complete}
      check={check}
      focus={focus || undefined}
      onValid={(fields) => form.submit(() => onSave(toMonitorBody(fields, view, monitor, stored.interval)), navigate)}
      onBlur={naming.fill}
      onLeave={(left) => {
        if (!passive) probe(left, false);
      }}
    >
      <section className="card">
        {choice && <About choice={choice} onPreset={onPreset} />}
        {/* Passive monitors have no target to be named after. */}
        {passive && name}
        <view.Target key={kind} monitor={monitor} wrong={form.wrong} preset={preset} />
        {!passive && <ProbeLine view={view} state={state} isNew={!monitor} onProbe={(fields) => probe(fields, true)} />}
        {!passive && name}
        <TagsField stored={monitor?.tags} error={form.wrong("tags")} />
      </section>
      {folded.length > 0 && (
        <details className="card fold" open={monitor !== undefined}>
          <summary>
            {t("monitors.form.more")}
            <span className="soft small">{folded.join(" · ")}</span>
          </summary>
          <div className="sheet">
            {view.Settings && (
              <fieldset>
                <legend>{t("monitors.form.part.request")}</legend>
                <view.Settings key={kind} monitor={monitor} wrong={form.wrong} preset={preset} />
              </fieldset>
            )}
            {!passive && (
              <fieldset>
                <legend>{t("monitors.form.part.schedule")}</legend>
                <Schedule key={leastInterval} of={stored} wrong={form.wrong} least={leastInterval} />
              </fieldset>
            )}
          </div>
        </details>
      )}
      <FormFoot of={form} submit={submit} sticky>
        <Link href={cancelTo} className="button quiet">
          {t("common.action.cancel")}
        </Link>
      </FormFoot>
    </Form>
  );
}
