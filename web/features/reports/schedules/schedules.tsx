import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";
import { DeleteDialog } from "../../../ui/feedback/confirm-dialog";
import { Failure } from "../../../ui/feedback/failure";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useFormat } from "../../../ui/hooks/use-format";
import { useDeliveryError } from "../../notifications/labels";
import { deleteSchedule, type Filter, type ReportSchedule, schedulesAtom, sendReportNow } from "../api";
import { ScopeText } from "../scope-picker";
import { hourText, ScheduleDialog } from "./schedule-dialog";

type Props = { filter: Filter };

/** The scheduled reports, and a button that schedules the shown one. */
export function Schedules({ filter }: Props) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(schedulesAtom);
  const [edited, setEdited] = useState<ReportSchedule | "new">();
  const [deleted, setDeleted] = useState<ReportSchedule>();
  const reload = () => void refresh();
  return (
    <section className="card report-schedules" aria-labelledby="report-schedules">
      <header>
        <h2 id="report-schedules">{t("reports.schedules.title")}</h2>
        <button type="button" className="plain compact" onClick={() => setEdited("new")}>
          {t("reports.schedules.add")}
        </button>
      </header>
      {error !== undefined && !data && <Failure title={t("reports.schedules.failed")} error={error} onRetry={reload} />}
      {data?.length === 0 && <p className="soft">{t("reports.schedules.text")}</p>}
      {data && data.length > 0 && (
        <ul>
          {data.map((schedule) => (
            <ScheduleRow
              key={schedule.id}
              schedule={schedule}
              onEdit={() => setEdited(schedule)}
              onDelete={() => setDeleted(schedule)}
            />
          ))}
        </ul>
      )}
      {edited && (
        <ScheduleDialog
          filter={filter}
          schedule={edited === "new" ? undefined : edited}
          onSaved={reload}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted && (
        <DeleteDialog
          title={t("reports.schedules.deleteTitle")}
          text={t("reports.schedules.deleteText")}
          done={t("reports.schedules.deleted")}
          failed={t("reports.schedules.deleteFailed")}
          remove={() => deleteSchedule(deleted.id)}
          onDeleted={reload}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </section>
  );
}

type RowProps = { schedule: ReportSchedule; onEdit: () => void; onDelete: () => void };

function ScheduleRow({ schedule, onEdit, onDelete }: RowProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const failureText = useFailureText();
  const [, refresh] = useAtom(schedulesAtom);
  const [busy, setBusy] = useState(false);
  const { id, every, hour, zone, scope, channels, next_at, problem } = schedule;
  const when = t(`reports.schedules.at.${every}`, { time: hourText(i18n.language, hour) });
  const send = async () => {
    setBusy(true);
    try {
      await sendReportNow(id);
      toast(t("reports.schedules.sendStarted"));
      void refresh();
    } catch (error) {
      toast(failureText(t("reports.schedules.sendFailed"), error), { tone: "bad" });
    }
    setBusy(false);
  };
  return (
    <li>
      <div>
        <p>
          <strong>{when}</strong> · <ScopeText scope={scope} />
        </p>
        <p className="soft small">
          {[
            ...channels.map(({ name }) => name),
            t("reports.schedules.next", { time: format.inZone(next_at, zone) }),
          ].join(" · ")}
        </p>
        {problem && (
          <p className="small report-problem">
            <Icon name="alert" /> {t(`reports.schedules.problem.${problem}`)}
          </p>
        )}
        {(schedule.last || !problem) && <Last schedule={schedule} />}
      </div>
      <div className="actions">
        <button type="button" className="plain compact" disabled={busy || problem !== null} onClick={() => void send()}>
          {t("reports.schedules.sendNow")}
        </button>
        <IconButton icon="edit" label={t("common.action.edit")} of={when} onClick={onEdit} />
        <IconButton icon="trash" label={t("common.action.delete")} of={when} onClick={onDelete} />
      </div>
    </li>
  );
}

/** When it was last sent, and what became of it in each channel. */
function Last({ schedule: { last } }: Pick<RowProps, "schedule">) {
  const { t } = useTranslation();
  const format = useFormat();
  const deliveryError = useDeliveryError();
  if (!last) return <p className="soft small">{t("reports.schedules.never")}</p>;
  const { deliveries } = last;
  const namesOf = (...states: string[]) =>
    deliveries.flatMap(({ state, channel }) => (states.includes(state) ? [channel.name] : []));
  const [sent, sending] = [namesOf("sent"), namesOf("pending")];
  const failed = deliveries.filter(({ state }) => state === "failed" || state === "withheld");
  const parts = [
    sent.length > 0 && t("reports.schedules.sent", { names: format.list(sent) }),
    sending.length > 0 && t("reports.schedules.sending", { names: format.list(sending) }),
  ].filter(Boolean);
  return (
    <p className="soft small">
      {t("reports.schedules.last", { time: format.moment(last.at) })}
      {parts.join(" · ")}
      {parts.length > 0 && failed.length > 0 && " · "}
      {failed.map(({ id, channel, error_code, error_detail }) => (
        <span key={id} className="report-missed">
          {t("reports.schedules.notSent", {
            name: channel.name,
            reason: error_code ? deliveryError({ code: error_code, detail: error_detail }) : "",
          })}
        </span>
      ))}
    </p>
  );
}
