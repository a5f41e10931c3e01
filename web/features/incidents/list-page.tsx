import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "wouter";
import { INCIDENT_IMPACTS } from "../../../src/shared/status/incidents";
import { paths } from "../../paths";
import { AreaTabs } from "../../ui/controls/area-tabs";
import { Icon } from "../../ui/controls/icon";
import { Empty } from "../../ui/feedback/empty";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { Stale } from "../../ui/feedback/stale";
import { teamsAtom } from "../teams/api";
import { useCanChange } from "../teams/use-can-change";
import { type IncidentSummary, type Incidents, incidentsAtom } from "./api";
import { useOutageStart } from "./from-outage";
import { IncidentCard } from "./incident-card";
import { EMPTY_START, NewIncident } from "./incident-dialog";
import { Templates } from "./templates";

/** From the largest impact to the smallest. */
const rankOf = ({ impact }: IncidentSummary): number => -INCIDENT_IMPACTS.indexOf(impact);

type ListProps = {
  data: Incidents;
  /** The open incident that the viewer has come for. */
  asked: IncidentSummary | undefined;
  /** Whether the viewer has come from the outage of that incident. */
  isOfOutage: boolean;
  canChange: boolean;
  onChanged: () => void;
};

function IncidentList({ data, asked, isOfOutage, canChange, onChanged }: ListProps) {
  const { t } = useTranslation();
  const draw = (summary: IncidentSummary) => (
    <IncidentCard
      // An incident that is asked for later begins with its form.
      key={`${summary.id} ${summary.resolved_at === null} ${summary === asked}`}
      summary={summary}
      isFirst={asked ? summary === asked : data.open.length === 1}
      isAsked={summary === asked}
      isOfOutage={summary === asked && isOfOutage}
      pages={data.pages}
      texts={data.texts}
      canChange={canChange}
      onChanged={onChanged}
    />
  );
  return (
    <div className="stack">
      {data.open.toSorted((one, other) => rankOf(one) - rankOf(other)).map(draw)}
      {data.past.length > 0 && (
        <section className="stack">
          <h2>{t("incidents.editor.past")}</h2>
          {data.past.map(draw)}
        </section>
      )}
    </div>
  );
}

/** Loads what the page begins with. */
export const prepare = (): Promise<unknown> => Promise.all([incidentsAtom.prepare(), teamsAtom.prepare()]);

/** The incidents of the team: open ones with the form for the next update, past ones, and templates. */
export default function IncidentsPage() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(incidentsAtom);
  const canChange = useCanChange();
  const [search, setSearch] = useSearchParams();
  const reload = () => void refresh();
  const outage = search.get("outage");
  const published = data?.open.find(({ outage_id }) => String(outage_id) === outage);
  const asked = published ?? data?.open.find(({ id }) => String(id) === search.get("incident"));
  const fromOutage = useOutageStart(published ? null : outage, data?.pages);
  const start = search.has("add") ? EMPTY_START : fromOutage;
  const hasPage = data && data.pages.length > 0;
  const publish = canChange && hasPage && (
    <button type="button" onClick={() => setSearch({ add: "" }, { replace: true })}>
      <Icon name="plus" />
      {t("incidents.editor.publish")}
    </button>
  );
  return (
    <>
      <AreaTabs />
      <div className="page-head">
        <h1>{t("incidents.editor.title")}</h1>
        {data && data.open.length > 0 && <div className="actions">{publish}</div>}
      </div>
      <p className="soft incident-about">{t(canChange ? "incidents.editor.about" : "incidents.editor.readOnly")}</p>
      {data ? (
        <>
          <Stale error={error} onRetry={reload} />
          {!hasPage ? (
            <Empty
              icon="page"
              heading="h2"
              title={t("incidents.editor.noPageTitle")}
              text={t("incidents.editor.noPageText")}
            >
              <Link href={paths.statusConfig} className="button">
                {t("incidents.editor.toPage")}
              </Link>
            </Empty>
          ) : (
            data.open.length === 0 && (
              <Empty
                icon="check"
                heading="h2"
                title={t("incidents.editor.emptyTitle")}
                {...(canChange && { text: t("incidents.editor.emptyText") })}
              >
                {publish}
              </Empty>
            )
          )}
          <div className="incidents-page">
            <IncidentList
              data={data}
              asked={asked}
              isOfOutage={published !== undefined}
              canChange={canChange}
              onChanged={reload}
            />
            {(canChange || data.texts.length > 0) && (
              <Templates texts={data.texts} canChange={canChange} onChanged={reload} />
            )}
          </div>
          {canChange && hasPage && start && (
            <NewIncident
              start={start}
              pages={data.pages}
              open={data.open}
              texts={data.texts}
              onPublished={reload}
              onClose={() => setSearch({}, { replace: true })}
            />
          )}
        </>
      ) : error ? (
        <Failure title={t("incidents.editor.loadFailed")} error={error} onRetry={reload} />
      ) : (
        <Skeleton heights={["9rem", "9rem"]} />
      )}
    </>
  );
}
