import { getDefaultStore, useAtom, useAtomValue } from "jotai";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { addTexts } from "../../i18n";
import { later, preload } from "../../lib/offline/code";
import { Icon } from "../../ui/controls/icon";
import { RefreshButton } from "../../ui/controls/refresh-button";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { Stale } from "../../ui/feedback/stale";
import { UnknownLine } from "../../ui/feedback/unknown-line";
import { type Dashboard, dashboardAtom } from "../problems/api";
import { ProblemBlock } from "../problems/problem-block";
import { panelMonitorsAtom, panelServersAtom } from "./api";
import { HeldBlock } from "./held-block";
import { OpenIncidents } from "./open-incidents";
import { Panels } from "./panels";
import { addedAtom, hasRefusedAtom, PasteField, Welcome } from "./start";
import { Counts, Freshness, Verdict } from "./verdict";
import { useIsWall, WALL } from "./wall/use-wall";

/** Loaded when it is shown, with the dialog of a channel. */
const NotifyOffer = later(() => import("./notify"));

/** Loaded for new users only, with its texts. */
const Checklist = later(async () => {
  const [part, { texts }] = await Promise.all([import("./checklist/checklist"), import("./checklist/texts")]);
  addTexts({ checklist: texts });
  return part;
}, false);

/** Age of data that is not loaded again when the page opens (ms). */
const FRESH = 2000;

/** Loads what the page begins with. */
export const prepare = async (): Promise<void> => {
  // The place of the first monitor that is well depends on how many are not.
  const monitors = async () => {
    await dashboardAtom.prepare();
    const isForNewUser = Boolean(getDefaultStore().get(dashboardAtom).data?.checklist);
    await Promise.all([panelMonitorsAtom.prepare(), isForNewUser && preload(Checklist)]);
  };
  await Promise.all([monitors(), panelServersAtom.prepare()]);
};

const Wall = later(() => import("./wall/wall-page"));

export default function DashboardPage() {
  return useIsWall() ? (
    <Suspense fallback={null}>
      <Wall />
    </Suspense>
  ) : (
    <Overview />
  );
}

function Overview() {
  const { t } = useTranslation();
  const added = useAtomValue(addedAtom);
  const [hasRefused, dropRefused] = useAtom(hasRefusedAtom);
  const [{ data, error, loading, loadedAt }, refresh] = useAtom(dashboardAtom);

  // Every screen polls this, so on opening the page it may be a minute old.
  useEffect(() => {
    const { loading, loadedAt = 0 } = getDefaultStore().get(dashboardAtom);
    if (!loading && Date.now() - loadedAt > FRESH) void refresh();
    return dropRefused;
  }, [refresh, dropRefused]);

  if (!data)
    return error ? (
      <Failure title={t("dashboard.failed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["2.5rem", "9rem", "14rem", "10rem"]} />
    );

  const offer = added && (
    <Suspense fallback={null}>
      <NotifyOffer />
    </Suspense>
  );
  const isNew = data.monitors.total === 0 && data.agents.total === 0;
  return (
    <>
      <div className="dashboard-head">
        <Verdict dashboard={data} />
        {!isNew && <Counts dashboard={data} />}
        <div className="actions">
          {!isNew && <Freshness loadedAt={loadedAt} isKnown={data.unknown === null} />}
          {!isNew && (
            <Link
              href={WALL}
              className="button plain icon-only wall-link"
              aria-label={t("dashboard.wall.open")}
              title={t("dashboard.wall.open")}
            >
              <Icon name="screen" />
            </Link>
          )}
          <RefreshButton loading={loading} onRefresh={() => void refresh()} />
        </div>
      </div>
      <Stale error={error} onRetry={() => void refresh()} />
      <Conditions dashboard={data} />
      {isNew ? (
        <Welcome />
      ) : (
        <div className="stack dense">
          {hasRefused && data.monitors.total > 0 && (
            <section className="card">
              <PasteField />
            </section>
          )}
          {!data.checklist && offer}
          <ProblemBlock onChanged={panelMonitorsAtom.refreshSoon} />
          <OpenIncidents dashboard={data} />
          <HeldBlock />
          {data.checklist && (
            <Suspense fallback={null}>
              <Checklist steps={data.checklist} offer={offer} />
            </Suspense>
          )}
          <Panels dashboard={data} />
        </div>
      )}
    </>
  );
}

/** Problems of the hub itself. */
function Conditions({ dashboard: { connectivity, conditions, unknown } }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const texts = [
    ...(connectivity === "lost" && !unknown ? [{ key: "offline", text: t("dashboard.offline") }] : []),
    ...conditions.map(({ code }) => ({ key: code, text: t(`dashboard.condition.${code}`) })),
  ];
  return (
    <>
      {unknown && <UnknownLine text={t("unknown.hub")} />}
      {texts.map(({ key, text }) => (
        <p key={key} className="message warn stale" role="status">
          <Icon name="offline" />
          {text}
        </p>
      ))}
    </>
  );
}
