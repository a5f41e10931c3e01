import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { THRESHOLD_METRICS } from "../../../src/shared/agents/thresholds";
import { toHubTime } from "../../lib/now";
import { liveAtom } from "../../lib/resource";
import { paths } from "../../paths";
import { useAgo } from "../../ui/feedback/ago";
import { useElapsed } from "../../ui/feedback/elapsed";
import { useFormat } from "../../ui/hooks/use-format";
import { type Dashboard, isBroken } from "../problems/api";
import { headline } from "./api";

/** The state of everything in one sentence: the title of the page. */
export function Verdict({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const { monitors, agents, problems, well_since } = dashboard;
  const slow = problems.filter(({ kind }) => kind === "slow").length;
  const expiring = problems.filter(({ kind }) => kind === "certificate").length;
  const high = problems.filter(({ kind }) => THRESHOLD_METRICS.some((metric) => metric === kind)).length;
  const other = problems.filter((problem) => !isBroken(problem)).length - slow - expiring - high;
  const broken = monitors.down + agents.inactive;
  const parts = [
    monitors.down > 0 && t("dashboard.someDown", { count: monitors.down }),
    agents.inactive > 0 && t("dashboard.someOffline", { count: agents.inactive }),
    slow > 0 && t("dashboard.someSlow", { count: slow }),
    expiring > 0 && t("dashboard.someExpiring", { count: expiring }),
    high > 0 && t("dashboard.someHigh", { count: high }),
    other > 0 && t("dashboard.someOther", { count: other }),
  ].filter(Boolean);
  if (parts.length > 0)
    return <h1 className={broken > 0 ? "verdict down" : "verdict soon"}>{parts.join(t("dashboard.and"))}</h1>;
  const state = headline(dashboard);
  return (
    <h1 className="verdict">
      {state === "allUp" && well_since ? <WellFor since={well_since} /> : t(`dashboard.${state}`)}
    </h1>
  );
}

function WellFor({ since }: { since: string }) {
  const { t } = useTranslation();
  return t("dashboard.allUpFor", { time: useFormat().elapsed(useElapsed(since)) });
}

type Count = { label: string; value: number; href?: string; tone?: "up" | "down" | "degraded" };

function CountsOf({ title, href, counts }: { title: string; href: string; counts: readonly Count[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="counts-of">
      <Link href={href}>{title}</Link>
      <dl>
        {counts.map(({ label, value, href, tone }) => (
          <div key={label} className={value > 0 ? tone : undefined}>
            <dt>{label}</dt>
            <dd>
              {href !== undefined && value > 0 ? (
                <Link href={href} aria-label={t("common.labelled", { label, value: format.number(value) })}>
                  {format.number(value)}
                </Link>
              ) : (
                format.number(value)
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** How many monitors and servers are in each status, with links to the lists of those that need attention. */
export function Counts({ dashboard: { monitors, agents } }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const some = (count: Count) => (count.value > 0 ? [count] : []);
  return (
    <div className="counts">
      <CountsOf
        title={t("dashboard.monitors.title")}
        href={paths.monitors}
        counts={[
          { label: t("dashboard.monitors.up"), value: monitors.up },
          {
            label: t("dashboard.monitors.down"),
            value: monitors.down,
            tone: "down",
            href: `${paths.monitors}?status=down`,
          },
          ...some({
            label: t("common.status.degraded"),
            value: monitors.degraded,
            tone: "degraded",
            href: `${paths.monitors}?status=degraded`,
          }),
          ...some({ label: t("common.status.pending"), value: monitors.pending }),
          ...some({
            label: t("common.status.paused"),
            value: monitors.paused,
            href: `${paths.monitors}?status=paused`,
          }),
          { label: t("dashboard.monitors.total"), value: monitors.total },
        ]}
      />
      <CountsOf
        title={t("dashboard.agents.title")}
        href={paths.agents}
        counts={[
          { label: t("dashboard.agents.up"), value: agents.active },
          {
            label: t("dashboard.agents.down"),
            value: agents.inactive,
            tone: "down",
            href: `${paths.agents}?status=inactive`,
          },
          ...some({ label: t("dashboard.agents.connecting"), value: agents.connecting }),
          { label: t("dashboard.agents.total"), value: agents.total },
        ]}
      />
    </div>
  );
}

/** Whether changes are shown as they happen, or when the data was last loaded. */
export function Freshness({ loadedAt }: { loadedAt: number | undefined }) {
  const { t } = useTranslation();
  if (useAtomValue(liveAtom))
    return (
      <span className="live-mark soft small" title={t("dashboard.liveTitle")}>
        <i />
        {t("dashboard.live")}
      </span>
    );
  return loadedAt === undefined ? null : <Updated at={loadedAt} />;
}

/** `at` is a time of the browser's clock. */
function Updated({ at }: { at: number }) {
  const { t } = useTranslation();
  return <span className="soft small">{t("common.updated", { time: useAgo(toHubTime(at)) })}</span>;
}
