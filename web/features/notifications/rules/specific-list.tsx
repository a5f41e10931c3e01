import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TargetType } from "../../../../src/shared/alerts";
import { useIncrementalList } from "../../../lib/hooks/use-incremental-list";
import { Search } from "../../../ui/controls/search";
import { Segments } from "../../../ui/controls/segments";
import { Empty } from "../../../ui/feedback/empty";
import type { Notifications } from "../normalise";
import { type Filter, filters, hasOwn, selectTargets, type Target } from "./select-targets";
import { SpecificItem } from "./specific-item";
import { useDrafts } from "./use-settings";

type Props = { kind: TargetType; targets: Target[]; data: Notifications; only?: number; onAll: () => void };

export function SpecificList({ kind, targets, data, only, onAll }: Props) {
  const { t } = useTranslation();
  const drafts = useDrafts(data.settings);
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  // What was just switched off stays in sight until it is saved.
  const isOwn = (target: Target) => drafts.of(target.key).overrideGlobal || hasOwn(data.settings, target);
  const one = targets.filter(({ id }) => id === only);
  const selected = one.length > 0 ? one : selectTargets(targets, { search, filter, isOwn });
  const more = useIncrementalList(selected);
  const searchLabel = t(
    kind === "monitor" ? "notifications.specific.searchMonitors" : "notifications.specific.searchAgents",
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
      {one.length > 0 ? (
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
