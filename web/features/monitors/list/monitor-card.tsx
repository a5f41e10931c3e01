import { memo } from "react";
import { useTranslation } from "react-i18next";
import { withoutScheme } from "../../../lib/web-address";
import { paths } from "../../../paths";
import { PulseBar } from "../../../ui/charts/pulse-bar";
import { Ago } from "../../../ui/feedback/ago";
import { Badge, OwnerTag, shownStatus } from "../../../ui/feedback/badge";
import { Watched } from "../../../ui/feedback/watched";
import { useFormat } from "../../../ui/hooks/use-format";
import { useMonitorWords } from "../../../ui/hooks/use-monitor-words";
import { RowMenu } from "../../../ui/lists/row-menu";
import { RowLink } from "../../../ui/lists/rows";
import { fittingTags, TagList } from "../../../ui/lists/tag-list";
import { MutedMark } from "../../notifications/mute/mute-menu";
import type { ListedMonitor } from "../api";
import { MarkBox } from "../bulk/marking";
import { InvertedMark } from "../inverted-tag";
import { KindMark } from "../kind-icon";
import { MonitorMenu } from "./monitor-menu";

/** The width of the tags in the narrowest card (px). */
const TAGS_ROOM = 250;

type Props = { monitor: ListedMonitor; onDelete?: (monitor: ListedMonitor) => void; heading?: "h2" | "h3" };

export const MonitorCard = memo(function MonitorCard({ monitor, onDelete, heading: Heading = "h3" }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useMonitorWords();
  const target = words.target(monitor);
  const { id, name, kind, response_time, uptime, last_checked, history } = monitor;
  const status = shownStatus(monitor);

  return (
    <article className={`card item-card ${status}`}>
      <header>
        <div className="named">
          <MarkBox id={id} name={name} />
          <Heading className="truncate">
            <RowLink href={paths.monitor(id)} name={name} />
          </Heading>
          <MutedMark of={monitor} />
          <InvertedMark inverted={monitor.inverted} />
          <OwnerTag of={monitor} />
        </div>
        <Badge tone={status}>{words.status(monitor)}</Badge>
        {onDelete && (
          <RowMenu name={name}>
            <MonitorMenu monitor={monitor} onDelete={onDelete} />
          </RowMenu>
        )}
      </header>
      <p className="url truncate" title={target}>
        <KindMark kind={kind} /> {withoutScheme(target)}
      </p>
      <TagList
        tags={monitor.tags}
        label={t("tags.title")}
        listAt={paths.monitors}
        most={fittingTags(monitor.tags, TAGS_ROOM)}
      />
      <PulseBar
        history={history}
        unknown={monitor.unknown}
        maintenance={monitor.maintenance_times}
        paused={!monitor.active}
      />
      <dl>
        <div>
          <dt>{t("monitors.column.response")}</dt>
          <dd>{format.milliseconds(response_time)}</dd>
        </div>
        <div>
          <dt>{t("monitors.column.uptime")}</dt>
          <dd>
            {format.percent(uptime)}
            <Watched share={monitor.watched} inList />
          </dd>
        </div>
        <div>
          <dt>{t("monitors.lastCheck")}</dt>
          <dd>{last_checked ? <Ago time={last_checked} /> : words.never(monitor)}</dd>
        </div>
      </dl>
    </article>
  );
});
