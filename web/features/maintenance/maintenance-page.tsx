import { useAtom, useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "wouter";
import { chosenTeam } from "../../lib/storage";
import { AreaTabs } from "../../ui/controls/area-tabs";
import { Icon } from "../../ui/controls/icon";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { Empty } from "../../ui/feedback/empty";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { Stale } from "../../ui/feedback/stale";
import { teamsAtom } from "../teams/api";
import { deleteWindow, type MaintenanceWindow, type Windows, windowsAtom } from "./api";
import { WindowDialog } from "./window-dialog";
import { WindowRow } from "./window-row";

const SECTIONS = ["running", "next", "recurring"] as const;
type Section = (typeof SECTIONS)[number];

const sectionOf = ({ current, schedule: { kind } }: MaintenanceWindow): Section => {
  if (current) return "running";
  return kind === "once" || kind === "open" ? "next" : "recurring";
};

/** Whether the user may change windows of the team: viewers may not. */
const useCanChange = (): boolean => {
  const { data } = useAtomValue(teamsAtom);
  const chosen = chosenTeam();
  const team = data?.find(({ id, personal }) => (chosen === "" ? personal : String(id) === chosen));
  return team?.role !== "viewer";
};

/** The targets among these that a window names. */
const namedBy = ({ monitors, agents }: MaintenanceWindow, targets: Windows["targets"]) =>
  targets.filter(({ type, id }) => (type === "monitor" ? monitors : agents).includes(id));

/** Asks before a window is deleted, and says whether running maintenance ends with it. */
function DeleteWindow(props: { window: MaintenanceWindow; onDeleted: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const { window, ...on } = props;
  const name = window.title || t("maintenance.untitled");
  return (
    <DeleteDialog
      title={t("maintenance.deleteTitle", { name })}
      text={t(window.current ? "maintenance.deleteRunning" : "maintenance.deleteText")}
      done={t("maintenance.deleted", { name })}
      failed={t("maintenance.deleteFailed")}
      remove={() => deleteWindow(window.id)}
      {...on}
    />
  );
}

function WindowList({ data, canChange, onChanged }: { data: Windows; canChange: boolean; onChanged: () => void }) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState<MaintenanceWindow>();
  const [deleting, setDeleting] = useState<MaintenanceWindow>();
  const rows = (windows: readonly MaintenanceWindow[]) => (
    <ul className="window-rows">
      {windows.map((window) => (
        <WindowRow
          key={window.id}
          window={window}
          named={namedBy(window, data.targets)}
          canChange={canChange}
          onChanged={onChanged}
          onEdit={() => setEditing(window)}
          onDelete={() => setDeleting(window)}
        />
      ))}
    </ul>
  );
  return (
    <>
      {data.windows.length + data.past.length > 0 && (
        <div className="card window-list">
          {SECTIONS.map((section) => {
            const windows = data.windows.filter((window) => sectionOf(window) === section);
            return (
              windows.length > 0 && (
                <section key={section}>
                  <h2>
                    {t(`maintenance.section.${section}`)} <span className="soft figure">{windows.length}</span>
                  </h2>
                  {rows(windows)}
                </section>
              )
            );
          })}
          {data.past.length > 0 && (
            <details className="window-past">
              <summary>
                {t("maintenance.section.past")} <span className="soft figure">{data.past.length}</span>
              </summary>
              {rows(data.past)}
            </details>
          )}
        </div>
      )}
      {editing && (
        <WindowDialog
          stored={editing}
          named={namedBy(editing, data.targets)}
          onSaved={onChanged}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && <DeleteWindow window={deleting} onDeleted={onChanged} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

/** Loads what the page begins with. */
export const prepare = (): Promise<unknown> => Promise.all([windowsAtom.prepare(), teamsAtom.prepare()]);

/** The maintenance windows of the team: those that run, those to come, and those that are over. */
export default function MaintenancePage() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(windowsAtom);
  const canChange = useCanChange();
  const [search, setSearch] = useSearchParams();
  const isAdding = canChange && search.has("add");
  const setAdding = (adding: boolean) => setSearch(adding ? { add: "" } : {}, { replace: true });
  const reload = () => void refresh();
  const isEmpty = data?.windows.length === 0;
  const add = canChange && (
    <button type="button" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      {t("maintenance.add")}
    </button>
  );
  return (
    <>
      <AreaTabs />
      <div className="page-head">
        <h1>{t("maintenance.title")}</h1>
        {data && !isEmpty && <div className="actions">{add}</div>}
      </div>
      <p className="soft window-about-page">{t(canChange ? "maintenance.about" : "maintenance.readOnly")}</p>
      {data ? (
        <>
          <Stale error={error} onRetry={reload} />
          {isEmpty && (
            <Empty
              icon="pending"
              heading="h2"
              title={t("maintenance.emptyTitle")}
              {...(canChange && { text: t("maintenance.emptyText") })}
            >
              {add}
            </Empty>
          )}
          <WindowList data={data} canChange={canChange} onChanged={reload} />
        </>
      ) : error ? (
        <Failure title={t("maintenance.loadFailed")} error={error} onRetry={reload} />
      ) : (
        <Skeleton heights={["9rem", "9rem"]} />
      )}
      {isAdding && <WindowDialog stored={undefined} named={[]} onSaved={reload} onClose={() => setAdding(false)} />}
    </>
  );
}
