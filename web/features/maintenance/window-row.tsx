import { useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { browserTimeZone } from "../../lib/format";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { IconButton } from "../../ui/controls/icon-button";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import type { NamedTarget } from "../notifications/dependencies/api";
import { endWindow, type MaintenanceWindow } from "./api";
import { useScheduleText } from "./words";

/** The targets of a window that are named in its row; the others are counted. */
const NAMED = 3;

/** The targets of a window: everything, or names and tags. */
function Targets({ window, named }: { window: MaintenanceWindow; named: readonly NamedTarget[] }) {
  const { t } = useTranslation();
  const { all, tags } = window;
  if (all) return <span>{t("maintenance.everything")}</span>;
  const count = named.length + tags.length;
  if (count === 0) return <span className="soft">{t("maintenance.noTargets")}</span>;
  return (
    <>
      {tags.slice(0, NAMED).map((tag) => (
        <span key={tag} className="tag truncate" title={tag}>
          {tag}
        </span>
      ))}
      {named.slice(0, Math.max(0, NAMED - tags.length)).map(({ type, id, name }) => (
        <Link
          key={`${type} ${id}`}
          href={(type === "monitor" ? paths.monitor : paths.agent)(id)}
          className="truncate"
          title={name}
        >
          {name}
        </Link>
      ))}
      {count > NAMED && <span className="soft">{t("maintenance.more", { count: count - NAMED })}</span>}
    </>
  );
}

/** A time in the zone of a window's schedule, and below it in the viewer's zone where that shows another time. */
function WindowTime({ word, time, zone }: { word: "until" | "next"; time: string; zone: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const own = format.inZone(time, browserTimeZone());
  const there = zone && format.inZone(time, zone);
  if (!there || there === own) return t(`maintenance.${word}`, { time: format.moment(time) });
  return (
    <>
      {t(`maintenance.${word}`, { time: there })}
      <small className="soft">{t("maintenance.yourTime", { time: own })}</small>
    </>
  );
}

/** Until when a window lasts, when it comes next, or when it was over. */
function State({ of: { current, next, over_at, schedule } }: { of: MaintenanceWindow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { zone } = schedule;
  if (current)
    return (
      <span className="window-now">
        <WindowTime word="until" time={current.to} zone={zone} />
      </span>
    );
  if (next)
    return (
      <span>
        <WindowTime word="next" time={next.from} zone={zone} />
      </span>
    );
  if (over_at)
    return <span className="soft">{t("maintenance.ended", { time: format.shortDateTimes(over_at, over_at)[0] })}</span>;
  return <span className="soft">{t("maintenance.never")}</span>;
}

type Props = {
  window: MaintenanceWindow;
  named: readonly NamedTarget[];
  /** Viewers change nothing. */
  canChange: boolean;
  onChanged: () => void;
  onEdit: () => void;
  onDelete: () => void;
};

export function WindowRow({ window, named, canChange, onChanged, onEdit, onDelete }: Props) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const scheduleText = useScheduleText();
  const [busy, start] = useTransition();
  const { id, current, counted, schedule } = window;
  const title = window.title || t("maintenance.untitled");
  const end = () =>
    start(async () => {
      try {
        await endWindow(id);
        toast(t("maintenance.endedNow", { name: title }));
      } catch (error) {
        toast(failureText(t("maintenance.endFailed"), error), { tone: "bad" });
      }
      onChanged();
    });
  return (
    <li className="window-row">
      <div className="window-name">
        <h3 className="truncate" title={title}>
          {title}
        </h3>
        <p className="soft small">
          {scheduleText(schedule)}
          {counted && ` · ${t("maintenance.counted")}`}
        </p>
      </div>
      <div className="window-about small">
        <Targets window={window} named={named} />
      </div>
      <div className="window-state small">
        <State of={window} />
      </div>
      {canChange && (
        <span className="window-actions">
          {current && (
            <button type="button" className="plain compact" disabled={busy} onClick={end}>
              <Icon name="check" />
              {t("maintenance.endNow")}
            </button>
          )}
          <IconButton icon="edit" label={t("common.action.edit")} of={title} onClick={onEdit} />
          <IconButton icon="trash" label={t("common.action.delete")} of={title} onClick={onDelete} />
        </span>
      )}
    </li>
  );
}
