import { useAtom, useAtomValue } from "jotai";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useMore } from "../../lib/use-more";
import { paths } from "../../paths";
import { Empty } from "../../ui/empty";
import { Failure, Stale } from "../../ui/failure";
import { Icon } from "../../ui/icon";
import { usePageTitle } from "../../ui/page-title";
import { RefreshButton } from "../../ui/refresh-button";
import { Skeleton } from "../../ui/skeleton";
import type { Monitor } from "./calls";
import { DeleteMonitor } from "./delete-monitor";
import { MonitorCard } from "./monitor-card";
import { MonitorTable } from "./monitor-table";
import { MonitorToolbar } from "./monitor-toolbar";
import { monitorsAtom, sortAtom, viewAtom } from "./monitors-state";
import { countMonitors, type Filter, selectMonitors } from "./select-monitors";

export default function ListPage() {
  const { t } = useTranslation();
  const [{ data, error, loading }, refresh] = useAtom(monitorsAtom);
  const [deleting, setDeleting] = useState<Monitor>();
  const [gone, setGone] = useState<readonly number[]>([]);
  usePageTitle(t("monitors.title"));

  return (
    <>
      <div className="page-head">
        <h1>{t("monitors.title")}</h1>
        <div className="actions">
          <RefreshButton loading={loading} onRefresh={() => void refresh()} />
          <Link href={paths.monitorCreate} className="button">
            <Icon name="plus" />
            {t("monitors.create")}
          </Link>
        </div>
      </div>
      {data ? (
        <>
          <Stale error={error} onRetry={() => void refresh()} />
          <Monitors all={data.monitors.filter(({ id }) => !gone.includes(id))} onDelete={setDeleting} />
        </>
      ) : error ? (
        <Failure title={t("monitors.loadFailed")} error={error} onRetry={() => void refresh()} />
      ) : (
        <Skeleton className="card-grid" heights={Array.from({ length: 6 }, () => "14rem")} />
      )}
      {deleting && (
        <DeleteMonitor
          monitor={deleting}
          onDeleted={() => {
            setGone((before) => [...before, deleting.id]);
            void refresh();
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

function Monitors({ all, onDelete }: { all: Monitor[]; onDelete: (monitor: Monitor) => void }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const sort = useAtomValue(sortAtom);
  const view = useAtomValue(viewAtom);
  const selected = selectMonitors(all, { search, filter, sort });
  const more = useMore(selected);
  // A thousand cards are drawn in slices, between which typing and scrolling go on.
  const shown = useDeferredValue(more.shown);

  if (all.length === 0)
    return (
      <Empty heading="h2" icon="pulse" title={t("monitors.empty.title")} text={t("monitors.empty.text")}>
        <Link href={paths.monitorCreate} className="button">
          <Icon name="plus" />
          {t("monitors.create")}
        </Link>
      </Empty>
    );

  const clear = () => {
    setSearch("");
    setFilter("all");
  };

  return (
    <>
      <MonitorToolbar
        search={search}
        onSearch={setSearch}
        filter={filter}
        onFilter={setFilter}
        counts={countMonitors(all)}
      />
      {selected.length === 0 ? (
        <Empty heading="h2" icon="search" title={t("monitors.noMatch.title")} text={t("monitors.noMatch.text")}>
          <button type="button" className="plain" onClick={clear}>
            {t("monitors.noMatch.clear")}
          </button>
        </Empty>
      ) : view === "list" ? (
        <MonitorTable monitors={shown} onDelete={onDelete} />
      ) : (
        <ul className="card-grid">
          {shown.map((monitor) => (
            <li key={monitor.id}>
              <MonitorCard monitor={monitor} onDelete={onDelete} heading="h2" />
            </li>
          ))}
        </ul>
      )}
      <div className="more-mark" ref={more.mark} />
    </>
  );
}
