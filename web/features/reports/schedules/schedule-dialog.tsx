import { useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { REPORT_INTERVALS, type ReportInterval } from "../../../../src/shared/reports/schedule";
import { browserTimeZone } from "../../../lib/format";
import { paths } from "../../../paths";
import { Field } from "../../../ui/controls/field";
import { FormDialog } from "../../../ui/feedback/form-dialog";
import { useFormat } from "../../../ui/hooks/use-format";
import { useSubmit } from "../../../ui/hooks/use-submit";
import { notificationsAtom } from "../../notifications/api";
import { type Filter, type ReportSchedule, saveSchedule } from "../api";
import { ScopeText } from "../scope-picker";

type Props = {
  /** The scope and the target of a new schedule. */
  filter: Filter;
  schedule: ReportSchedule | undefined;
  onSaved: () => void;
  onClose: () => void;
};

/** An hour of the day as every clock on the page shows it. */
export const hourText = (locale: string, hour: number): string =>
  new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" }).format(
    hour * 3_600_000,
  );

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Schedules a report, or changes a schedule. */
export function ScheduleDialog({ filter, schedule, onSaved, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const submission = useSubmit(t("reports.schedules.saveFailed"));
  const [draft, setDraft] = useState({
    every: schedule?.every ?? ("month" as ReportInterval),
    hour: schedule?.hour ?? 8,
    channels: schedule?.channels.map(({ id }) => id) ?? [],
    share: schedule?.share ?? false,
    details: schedule?.details ?? false,
  });
  const { scope, target } = schedule ?? filter;
  const zone = schedule?.zone ?? browserTimeZone();
  const edit = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const save = () => {
    if (draft.channels.length === 0) return submission.refuse({ channels: t("reports.schedules.none") });
    const body = { ...draft, details: draft.share && draft.details, scope, target, zone };
    submission.submit(
      () => saveSchedule(body, schedule?.id),
      () => {
        onSaved();
        onClose();
      },
    );
  };
  return (
    <FormDialog
      of={submission}
      title={t(schedule ? "reports.schedules.edit" : "reports.schedules.add")}
      submit={t("reports.schedules.save")}
      onSubmit={save}
      onClose={onClose}
    >
      <p className="soft">
        {t("reports.schedules.about")}
        <ScopeText scope={scope} />
        {target !== null && ` · ${t("reports.target.value", { target: format.number(target, 3) })}`}
      </p>
      <Field label={t("reports.schedules.every")}>
        <select
          name="every"
          value={draft.every}
          onChange={(event) => edit({ every: event.target.value as ReportInterval })}
        >
          {REPORT_INTERVALS.toReversed().map((every) => (
            <option key={every} value={every}>
              {t(`reports.schedules.${every}`)}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t("reports.schedules.hour")} hint={t("reports.schedules.zone", { zone })}>
        <select name="hour" value={draft.hour} onChange={(event) => edit({ hour: Number(event.target.value) })}>
          {HOURS.map((hour) => (
            <option key={hour} value={hour}>
              {hourText(i18n.language, hour)}
            </option>
          ))}
        </select>
      </Field>
      <Channels
        chosen={draft.channels}
        wrong={submission.wrong("channels")}
        onChange={(channels) => edit({ channels })}
      />
      <label className="switch">
        <input type="checkbox" checked={draft.share} onChange={(event) => edit({ share: event.target.checked })} />
        {t("reports.schedules.share")}
      </label>
      {draft.share && (
        <label className="switch">
          <input
            type="checkbox"
            checked={draft.details}
            onChange={(event) => edit({ details: event.target.checked })}
          />
          {t("reports.schedules.details")}
        </label>
      )}
    </FormDialog>
  );
}

type ChannelsProps = { chosen: readonly number[]; wrong: string | undefined; onChange: (chosen: number[]) => void };

/** The channels that take reports. */
function Channels({ chosen, wrong, onChange }: ChannelsProps) {
  const { t } = useTranslation();
  const { data } = useAtomValue(notificationsAtom);
  const offered = (data?.channels ?? []).filter(
    ({ type }) => data?.kinds.find(({ kind }) => kind === type)?.takesReports ?? true,
  );
  return (
    <fieldset className="report-channels" aria-describedby={wrong ? "report-channels-wrong" : undefined}>
      <legend>{t("reports.schedules.channels")}</legend>
      {offered.map(({ id, name, enabled }) => (
        <label key={id} className="switch">
          <input
            type="checkbox"
            name="channels"
            aria-invalid={wrong ? true : undefined}
            checked={chosen.includes(id)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
            }
          />
          <span>{enabled ? name : t("notifications.setting.channelOff", { name })}</span>
        </label>
      ))}
      {data && offered.length === 0 && (
        <p className="hint">
          {t("reports.schedules.noChannels")}{" "}
          <Link href={`${paths.notifications}?tab=channels&add`}>{t("reports.schedules.addChannel")}</Link>
        </p>
      )}
      {wrong && (
        <span className="wrong" id="report-channels-wrong" role="alert">
          {wrong}
        </span>
      )}
    </fieldset>
  );
}
