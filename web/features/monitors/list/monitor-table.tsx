import { useAtomValue } from "jotai";
import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PHONE, useMedia } from "../../../lib/hooks/use-media";
import { choicesAtom } from "../../../lib/storage";
import { withoutScheme } from "../../../lib/web-address";
import { paths } from "../../../paths";
import { PulseBar } from "../../../ui/charts/pulse-bar";
import { ColumnChooser } from "../../../ui/controls/column-chooser";
import { Ago } from "../../../ui/feedback/ago";
import { OwnerTag, StatusMark, shownStatus } from "../../../ui/feedback/badge";
import { RowUptime } from "../../../ui/feedback/watched";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useFormat } from "../../../ui/hooks/use-format";
import { useMonitorWords } from "../../../ui/hooks/use-monitor-words";
import { useUnknownWords } from "../../../ui/hooks/use-unknown-words";
import { RowMenu } from "../../../ui/lists/row-menu";
import { RowLink, Rows } from "../../../ui/lists/rows";
import { SortHeader, type Sorting } from "../../../ui/lists/sort-header";
import { fittingTags, TagCount, TagList, widthOf } from "../../../ui/lists/tag-list";
import { useFlash } from "../../../ui/lists/use-flash";
import { MutedMark } from "../../notifications/mute/mute-menu";
import type { ListedMonitor, Selection } from "../api";
import { MarkBox } from "../bulk/marking";
import { InvertedMark } from "../inverted-tag";
import { KindMark } from "../kind-icon";
import { MonitorMenu } from "./monitor-menu";

/** The columns that the viewer can hide. */
const OPTIONAL = ["tags", "pulse", "checked"] as const;
const hiddenColumnsAtom = choicesAtom("monitors.hiddenColumns", OPTIONAL);

export function MonitorColumns() {
  const { t } = useTranslation();
  const labels = { tags: t("tags.title"), pulse: t("monitors.column.pulse"), checked: t("monitors.lastCheck") };
  return (
    <ColumnChooser columns={OPTIONAL.map((name) => ({ name, label: labels[name] }))} hiddenAtom={hiddenColumnsAtom} />
  );
}

type TableProps = {
  body: ReactNode;
  sorting: Sorting<Selection["sort"]>;
  /** What some of the monitors have in place of the word of their status. */
  states: "words" | "reasons";
  /** The problems above the rows, in the same columns. */
  block?: ReactNode;
};

/** The table of monitors around the body with their rows. */
export function MonitorTable({ body, sorting, states, block }: TableProps) {
  const { t } = useTranslation();
  const hidden = useAtomValue(hiddenColumnsAtom).map((name) => `without-${name}`);
  return (
    <Rows className={["monitor-rows", `with-${states}`, ...hidden].join(" ")}>
      <table aria-label={t("monitors.title")}>
        <thead>
          <tr>
            <SortHeader by="name" sorting={sorting}>
              {t("monitors.column.name")}
            </SortHeader>
            <SortHeader className="target">{t("monitors.column.url")}</SortHeader>
            <SortHeader by="status" sorting={sorting} className="state">
              {t("monitors.column.status")}
            </SortHeader>
            <SortHeader className="pulse">{t("monitors.column.pulse")}</SortHeader>
            <SortHeader by="response" sorting={sorting} className="number">
              {t("monitors.column.response")}
            </SortHeader>
            <SortHeader by="uptime" sorting={sorting} className="number uptime">
              {t("monitors.column.uptimeOfMonth")}
            </SortHeader>
            <SortHeader by="checked" sorting={sorting} className="number checked">
              {t("monitors.lastCheck")}
            </SortHeader>
            <SortHeader>
              <span className="visually-hidden">{t("monitors.column.actions")}</span>
            </SortHeader>
          </tr>
        </thead>
        {block && (
          <tbody className="block-rows">
            <tr>
              <td>{block}</td>
            </tr>
          </tbody>
        )}
        {body}
      </table>
    </Rows>
  );
}

/** Whether the status of a monitor has a reason. */
const isBad = ({ status, unknown }: Pick<ListedMonitor, "status" | "unknown">): boolean =>
  unknown !== null || status === "down" || status === "degraded";

/** Status label; for failing monitors with the reason and the time. */
const useStateText = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const checkError = useCheckError();
  const words = useMonitorWords();
  return (monitor: ListedMonitor): string => {
    const { unknown, since, error_code, error_detail } = monitor;
    const word = words.status(monitor);
    if (unknown || shownStatus(monitor) === "maintenance" || !isBad(monitor)) return word;
    const reason = error_code ? checkError({ error_code, error_detail }) : word;
    return since ? t("monitors.downSince", { reason, time: format.moment(since) }) : reason;
  };
};

/** When a monitor was last checked: the time itself while its state is unknown. */
function LastCheck({ monitor }: { monitor: ListedMonitor }) {
  const words = useMonitorWords();
  const format = useFormat();
  const { last_checked, unknown } = monitor;
  if (!last_checked) return words.never(monitor);
  return unknown ? <time dateTime={last_checked}>{format.moment(last_checked)}</time> : <Ago time={last_checked} />;
}

type Props = { monitor: ListedMonitor; onDelete: (monitor: ListedMonitor) => void };

/** Room for tags beside a name; otherwise the row has their number. The same width is in tags.css. */
const WIDE = "(min-width: 100rem)";
/** The width of a name with its tags and marks, and of a mark or an owner (px). */
const ROOM = { name: 300, mark: 24, owner: 120 };

/** How many tags fit beside the whole name of a monitor. */
const tagsBeside = ({ name, tags, muted, inverted, owner, team }: ListedMonitor): number => {
  const marks = (muted ? ROOM.mark : 0) + (inverted ? ROOM.mark : 0) + (owner || team ? ROOM.owner : 0);
  return fittingTags(tags, ROOM.name - marks - widthOf(name));
};

/** The slots of a bar on a phone and elsewhere. */
const SLOTS = { phone: 24, other: 40 };

export const MonitorRow = memo(function MonitorRow({ monitor, onDelete }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const state = useStateText()(monitor);
  const isPhone = useMedia(PHONE);
  const isWide = useMedia(WIDE);
  const row = useFlash<HTMLTableRowElement>(shownStatus(monitor));
  const words = useMonitorWords();
  const unknownWords = useUnknownWords();
  const target = words.target(monitor);
  const address = withoutScheme(target);
  const { id, name, kind, active, response_time, uptime, watched, history } = monitor;
  const status = shownStatus(monitor);
  // On a phone there is no column of the status.
  const hasReason = isPhone && (isBad(monitor) || status === "maintenance");
  const second = !hasReason ? address : monitor.unknown ? unknownWords.short(monitor.unknown) : state;
  return (
    <tr data-row data-id={id} className={status} ref={row}>
      <th scope="row" className="row-name">
        <MarkBox id={id} name={name} />
        <StatusMark status={status} label={words.status(monitor)} />
        <div className="lines">
          <div className="named">
            <RowLink href={paths.monitor(id)} name={name} />
            <MutedMark of={monitor} />
            <InvertedMark inverted={monitor.inverted} />
            <OwnerTag of={monitor} />
            <TagList
              tags={monitor.tags}
              label={t("tags.title")}
              listAt={paths.monitors}
              most={isWide ? tagsBeside(monitor) : 0}
            />
          </div>
          <TagCount tags={monitor.tags} label={t("tags.title")} />
          <div className={hasReason ? "second reason truncate" : "second truncate"}>{second}</div>
        </div>
      </th>
      <td className="target soft">
        <div className="raised truncate" title={target}>
          <KindMark kind={kind} /> {address}
        </div>
      </td>
      <td className="state">
        <div className="raised truncate" title={monitor.unknown ? unknownWords.because(monitor.unknown) : state}>
          {status === "maintenance" ? t("common.status.maintenance") : state}
        </div>
      </td>
      <td className="pulse">
        <PulseBar
          history={history}
          unknown={monitor.unknown}
          maintenance={monitor.maintenance_times}
          count={isPhone ? SLOTS.phone : SLOTS.other}
          paused={!active}
        />
      </td>
      <td className="number">{format.milliseconds(response_time)}</td>
      <td className="number uptime">
        <RowUptime uptime={uptime} share={watched} />
      </td>
      <td className="number checked soft">
        <LastCheck monitor={monitor} />
      </td>
      <td className="menu-cell">
        <RowMenu name={name}>
          <MonitorMenu monitor={monitor} onDelete={onDelete} />
        </RowMenu>
      </td>
    </tr>
  );
});
