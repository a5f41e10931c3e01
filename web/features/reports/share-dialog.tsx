import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { datesOf } from "../../lib/day-range";
import { text } from "../../lib/form";
import { Copyable } from "../../ui/controls/copy-button";
import { Field } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { FormDialog } from "../../ui/feedback/form-dialog";
import { useFormat } from "../../ui/hooks/use-format";
import { datesIn, usePeriodText } from "../../ui/hooks/use-period-text";
import { useSubmit } from "../../ui/hooks/use-submit";
import { createLink, deleteLink, type Filter, linksAtom, type ReportLink, ROLLING } from "./api";
import { ScopeText } from "./scope-picker";

type Props = { filter: Filter; onClose: () => void };

const PERIODS = Object.values(ROLLING);
type Period = (typeof PERIODS)[number];

/** Creates a link to the report of a filter, and lists the viewer's links. */
export function ShareDialog({ filter, onClose }: Props) {
  const { t } = useTranslation();
  const periodText = usePeriodText();
  const submission = useSubmit(t("reports.share.title"));
  const [, refresh] = useAtom(linksAtom);
  const [address, setAddress] = useState<string>();
  const usual = "preset" in filter.range ? ROLLING[filter.range.preset as keyof typeof ROLLING] : "fixed";
  const send = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const period = PERIODS.find((name) => name === text(data, "period")) ?? null;
    submission.submit(
      () => createLink(filter, { name: text(data, "name"), details: data.has("details"), period }),
      (created) => {
        setAddress(created);
        void refresh();
      },
    );
  };
  return (
    <FormDialog
      of={submission}
      title={t("reports.share.title")}
      text={t("reports.share.text")}
      submit={t("reports.share.create")}
      onSubmit={() => submission.element.current && send(submission.element.current)}
      onClose={onClose}
    >
      <Field label={t("reports.share.name")} hint={t("reports.share.nameHint")} error={submission.wrong("name")}>
        <input name="name" maxLength={100} autoComplete="off" />
      </Field>
      <Field label={t("reports.share.period")}>
        <select name="period" defaultValue={usual}>
          {PERIODS.map((name: Period) => (
            <option key={name} value={name}>
              {t(`reports.share.rolling.${name}`)}
            </option>
          ))}
          <option value="fixed">
            {t("reports.share.fixed", { period: periodText(datesOf(filter.range, new Date())) })}
          </option>
        </select>
      </Field>
      <label className="switch">
        <input type="checkbox" name="details" />
        {t("reports.share.details")}
      </label>
      {address && (
        <div className="field">
          <p className="message good" role="status">
            <Icon name="check" />
            <span>{t("reports.share.made")}</span>
          </p>
          <Copyable what={t("reports.share.address")} text={address} />
        </div>
      )}
      <Links />
    </FormDialog>
  );
}

/** The viewer's links. Renders nothing while there are none. */
function Links() {
  const { t } = useTranslation();
  const [{ data = [] }, refresh] = useAtom(linksAtom);
  const [revoked, setRevoked] = useState<ReportLink>();
  if (data.length === 0) return null;
  return (
    <section className="report-links" aria-label={t("reports.share.links")}>
      <h3>{t("reports.share.links")}</h3>
      <ul>
        {data.map((link) => (
          <LinkRow key={link.id} link={link} onRevoke={() => setRevoked(link)} />
        ))}
      </ul>
      {revoked && (
        <DeleteDialog
          title={t("reports.share.revokeTitle")}
          text={t("reports.share.revokeText")}
          done={t("reports.share.revoked")}
          failed={t("reports.share.revokeFailed")}
          action={{ label: t("reports.share.revoke"), busy: t("reports.share.revoking") }}
          remove={() => deleteLink(revoked.id)}
          onDeleted={() => void refresh()}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </section>
  );
}

function LinkRow({ link, onRevoke }: { link: ReportLink; onRevoke: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const periodText = usePeriodText();
  const { name, scope, period, from, to, zone, opened_at } = link;
  const when =
    period === null
      ? t("reports.share.fixed", { period: periodText(datesIn(zone, { from: from ?? "", to: to ?? "" })) })
      : t(`reports.share.rolling.${period}`);
  const opened = opened_at ? t("reports.share.opened", { time: format.ago(opened_at) }) : t("reports.share.unopened");
  return (
    <li>
      <div>
        <p>{name || t("reports.share.unnamed")}</p>
        <p className="soft small">
          <ScopeText scope={scope} /> · {when} · {opened}
        </p>
      </div>
      <button type="button" className="plain compact" onClick={onRevoke}>
        {t("reports.share.revoke")}
      </button>
    </li>
  );
}
