import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { TargetType } from "../../../../src/shared/notifications";
import { useIncrementalList } from "../../../lib/hooks/use-incremental-list";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { Search } from "../../../ui/controls/search";
import { Segments } from "../../../ui/controls/segments";
import { Switch } from "../../../ui/controls/switch";
import { Empty } from "../../../ui/feedback/empty";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import type { Notifications } from "../api";
import { monitorsAtom, serversAtom } from "../api";
import { MuteMenu, useMutedText } from "../mute/mute-menu";
import { type Editing, kindOf, useDrafts, withOverride } from "./drafts";
import {
  type Filter,
  filters,
  hasOwn,
  monitorTargets,
  selectTargets,
  serverTargets,
  type Target,
} from "./select-targets";
import { SettingFields } from "./setting-fields";

type Props = {
  kind: TargetType;
  data: Notifications;
  /** The id of the only target to show, for the link from its own page. */
  only?: number;
  onAll: () => void;
};

type ItemProps = Editing & {
  target: Target;
  /** Whether the choice of a critical target is shown also where no policy has quiet hours. */
  isOnly: boolean;
  onMuted: () => void;
};

/** One monitor or agent: it follows the global settings, or has its own, which are then shown below. */
function SpecificItem({ target, isOnly, onMuted, ...editing }: ItemProps) {
  const { setting, policies, onChange } = editing;
  const { key, id, name, about, muted } = target;
  const { t } = useTranslation();
  const { overrideGlobal, enabled, critical } = setting;
  const asksCritical = critical || isOnly || policies.some(({ quiet }) => quiet !== null);
  const mutedText = useMutedText();
  const state = !overrideGlobal ? "followsGlobal" : enabled ? null : "off";
  return (
    <article className="card target">
      <header>
        <div>
          <h2 className="truncate">
            <Link href={kindOf(key) === "monitor" ? paths.monitor(id) : paths.agent(id)}>{name}</Link>
          </h2>
          <p className="soft small truncate">{about}</p>
        </div>
        {muted && <span className="soft small">{mutedText(muted)}</span>}
        <MuteMenu target={{ type: kindOf(key), id, name }} muted={muted} onChanged={onMuted} />
        <div className="target-switch">
          <Switch
            label={t("notifications.specific.override")}
            name={t("notifications.specific.overrideOf", { name })}
            checked={overrideGlobal}
            onChange={(on) => onChange(withOverride(on))}
          />
          {state && <span className="soft small">{t(`notifications.specific.${state}`)}</span>}
        </div>
      </header>
      {asksCritical && (
        <label className="critical small">
          <input
            type="checkbox"
            aria-label={t("policies.rule.criticalOf", { name })}
            checked={critical}
            onChange={(event) => onChange({ critical: event.target.checked })}
          />
          {t("policies.rule.critical")}
        </label>
      )}
      {overrideGlobal && <SettingFields target={key} {...editing} />}
    </article>
  );
}

type TargetsProps = Props & { targets: Target[]; onMuted: () => void };

function SpecificList({ kind, targets, data, only, onAll, onMuted }: TargetsProps) {
  const { t } = useTranslation();
  const drafts = useDrafts(data.settings);
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  // A target whose own settings were just switched off stays visible until it is saved.
  const isOwn = (target: Target) => drafts.of(target.key).overrideGlobal || hasOwn(data.settings, target);
  const single = targets.filter(({ id }) => id === only);
  const selected = single.length > 0 ? single : selectTargets(targets, { search, filter, isOwn });
  const more = useIncrementalList(selected);
  const searchLabel = t(
    kind === "monitor" ? "notifications.specific.searchMonitors" : "notifications.specific.searchServers",
  );
  const counts = { all: targets.length, own: targets.filter(isOwn).length };

  const showAll = () => {
    setSearch("");
    setFilter("all");
    onAll();
  };
  const allButton = (
    <button type="button" className="plain" onClick={showAll}>
      {t("notifications.specific.showAll")}
    </button>
  );

  return (
    <>
      {single.length > 0 ? (
        <div className="toolbar">{allButton}</div>
      ) : (
        <div className="toolbar">
          <Search label={searchLabel} value={search} onChange={setSearch} />
          <Segments
            label={t("notifications.specific.filter")}
            choices={filters.map((value) => ({
              value,
              label: t(`notifications.specific.${value}`),
              count: counts[value],
            }))}
            chosen={filter}
            onChoose={setFilter}
          />
        </div>
      )}
      {selected.length === 0 ? (
        <Empty heading="h2" icon="search" title={t("notifications.specific.noMatch")}>
          {allButton}
        </Empty>
      ) : (
        <ul className="target-list">
          {more.shown.map((target) => (
            <li key={target.key}>
              <SpecificItem
                target={target}
                setting={drafts.of(target.key)}
                channels={data.channels}
                policies={data.policies}
                isOnly={single.length > 0}
                onMuted={onMuted}
                onChange={(change) => drafts.change(target.key, target.name, change)}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="more-mark" ref={more.mark} />
    </>
  );
}

export function SpecificTab({ kind, ...rest }: Props) {
  return kind === "monitor" ? <Monitors {...rest} /> : <Agents {...rest} />;
}

type ListProps = Omit<Props, "kind">;

function Monitors(props: ListProps) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(monitorsAtom);
  const retry = () => void refresh();
  if (!data) return <Loading title={t("notifications.specific.monitorsFailed")} error={error} onRetry={retry} />;
  return <Targets kind="monitor" targets={monitorTargets(data.monitors)} onMuted={retry} {...props} />;
}

function Agents(props: ListProps) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(serversAtom);
  const retry = () => void refresh();
  if (!data) return <Loading title={t("notifications.specific.serversFailed")} error={error} onRetry={retry} />;
  return <Targets kind="agent" targets={serverTargets(data.agents)} onMuted={retry} {...props} />;
}

function Loading(props: { title: string; error: unknown; onRetry: () => void }) {
  return props.error ? <Failure {...props} /> : <Skeleton heights={["4rem", "4rem", "4rem"]} />;
}

function Targets({ kind, targets, ...list }: TargetsProps) {
  const { t } = useTranslation();
  if (targets.length > 0) return <SpecificList kind={kind} targets={targets} {...list} />;
  const isMonitor = kind === "monitor";
  return (
    <Empty
      heading="h2"
      icon={isMonitor ? "pulse" : "server"}
      title={t(isMonitor ? "notifications.specific.noMonitors" : "notifications.specific.noServers")}
      text={t(isMonitor ? "notifications.specific.noMonitorsText" : "notifications.specific.noServersText")}
    >
      <Link href={isMonitor ? paths.monitorCreate : paths.agentCreate} className="button">
        <Icon name="plus" />
        {t(isMonitor ? "monitors.create" : "agents.create")}
      </Link>
    </Empty>
  );
}
