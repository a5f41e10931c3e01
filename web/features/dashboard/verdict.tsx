import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { THRESHOLD_METRICS } from "../../../src/shared/agents/thresholds";
import { OUTAGES } from "../../../src/shared/outages/kinds";
import { PHONE, useMedia } from "../../lib/hooks/use-media";
import { toHubTime } from "../../lib/now";
import { liveAtom } from "../../lib/resource";
import { paths } from "../../paths";
import { useAgo } from "../../ui/feedback/ago";
import { useElapsed } from "../../ui/feedback/elapsed";
import { useFormat } from "../../ui/hooks/use-format";
import { useUnknownWords } from "../../ui/hooks/use-unknown-words";
import { type Dashboard, isBroken, type Problem } from "../problems/api";
import { headline } from "./api";

/** The fields of the dashboard or the wall that the sentence is made from. */
type Judged = Pick<Dashboard, "unknown" | "well_since" | "problems_total"> & {
  in_maintenance: Pick<Dashboard["in_maintenance"], "monitors" | "agents">;
  monitors: Pick<Dashboard["monitors"], "up" | "down" | "pending" | "total">;
  agents: Dashboard["agents"];
  problems: readonly Pick<Problem, "kind" | "target_name">[];
};

/** The number of resources above a threshold in one sentence; one is named with its server. */
const useHighText = () => {
  const { t } = useTranslation();
  return (high: Judged["problems"]): string => {
    const [first] = high;
    if (!first || high.length > 1) return t("dashboard.someHigh", { count: high.length });
    return t("dashboard.oneHigh", { problem: t(`outages.kinds.${first.kind}.label`), name: first.target_name });
  };
};

/** How many monitors are down and servers offline, without those in maintenance. */
const brokenOf = ({ monitors, agents, in_maintenance }: Judged) => ({
  down: Math.max(0, monitors.down - in_maintenance.monitors),
  offline: Math.max(0, agents.inactive - in_maintenance.agents),
});

/** The sentences of the problems of monitors that work, the most important first. */
const OF_MONITORS = {
  slow: "someSlow",
  budget_spent: "someMissed",
  budget_burning: "someAtRisk",
  certificate: "someExpiring",
  domain: "someDomains",
} as const satisfies Partial<Record<Problem["kind"], string>>;
const KINDS_OF_MONITORS = Object.keys(OF_MONITORS) as (keyof typeof OF_MONITORS)[];

/** A sentence for each problem, the most important first. */
const useParts = (dashboard: Judged): string[] => {
  const { t } = useTranslation();
  const highText = useHighText();
  const { problems } = dashboard;
  const { down, offline } = brokenOf(dashboard);
  const isHigh = ({ kind }: Judged["problems"][number]) => THRESHOLD_METRICS.some((metric) => metric === kind);
  const high = problems.filter(isHigh);
  const countOf = (kind: keyof typeof OF_MONITORS) => problems.filter((problem) => problem.kind === kind).length;
  const others = problems.filter((problem) => !(isBroken(problem) || isHigh(problem) || problem.kind in OF_MONITORS));
  const ofServers = others.filter(({ kind }) => OUTAGES[kind].target === "agent").length;
  const ofMonitors = others.length - ofServers;
  return [
    down > 0 ? t("dashboard.someDown", { count: down }) : "",
    offline > 0 ? t("dashboard.someOffline", { count: offline }) : "",
    ...KINDS_OF_MONITORS.map((kind) => {
      const count = countOf(kind);
      return count > 0 ? t(`dashboard.${OF_MONITORS[kind]}`, { count }) : "";
    }),
    ofMonitors > 0 ? t("dashboard.someMonitors", { count: ofMonitors }) : "",
    high.length > 0 ? highText(high) : "",
    ofServers > 0 ? t("dashboard.someServers", { count: ofServers }) : "",
  ].filter(Boolean);
};

/** The same for a phone: failures, or else the first sentence, and the number of other alerts. */
const useShortParts = (dashboard: Judged, [first = ""]: readonly string[]): string[] => {
  const { t } = useTranslation();
  const { down, offline } = brokenOf(dashboard);
  const broken = down + offline;
  const parts =
    broken === 0
      ? [first]
      : [
          down > 0 ? t("dashboard.shortDown", { count: down }) : "",
          offline > 0 ? t("dashboard.shortOffline", { count: offline }) : "",
        ];
  const rest = dashboard.problems_total - Math.max(1, broken);
  return [...parts, rest > 0 ? t("problems.alerts", { count: rest }) : ""].filter(Boolean);
};

/** The state of everything in one sentence: the title of the page. */
export function Verdict({ dashboard }: { dashboard: Judged }) {
  const { t } = useTranslation();
  const unknownWords = useUnknownWords();
  const isPhone = useMedia(PHONE);
  const parts = useParts(dashboard);
  const shortParts = useShortParts(dashboard, parts);
  const { unknown, well_since } = dashboard;
  if (unknown) return <h1 className="verdict unknown">{unknownWords.because(unknown)}</h1>;
  const { down, offline } = brokenOf(dashboard);
  if (parts.length > 0)
    return (
      <h1 className={down + offline > 0 ? "verdict down" : "verdict soon"}>
        {isPhone ? shortParts.join(" · ") : parts.join(t("dashboard.and"))}
      </h1>
    );
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

/** `minor`: it is not shown on phones. */
type Count = {
  label: string;
  value: number;
  href?: string;
  tone?: "up" | "down" | "degraded" | "maintenance";
  minor?: true;
};

type CountsProps = { title: string; href: string; counts: readonly Count[]; isKnown: boolean };

function CountsOf({ title, href, counts, isKnown }: CountsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="counts-of">
      <Link href={href}>{title}</Link>
      <dl>
        {counts.map(({ label, value, href, tone, minor }) => (
          <div key={label} className={minor ? "minor" : isKnown && value > 0 ? tone : undefined}>
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
export function Counts({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const { monitors, agents, in_maintenance, unknown } = dashboard;
  const { down, offline } = brokenOf(dashboard);
  const isKnown = unknown === null;
  // While nothing is known, all of them are the last known ones.
  const unknownOnes = isKnown ? monitors.unknown : 0;
  const held = (value: number) =>
    some({ label: t("common.status.maintenance"), value, tone: "maintenance", minor: true });
  const some = (count: Count) => (count.value > 0 ? [count] : []);
  return (
    <div className="counts">
      {!isKnown && <span className="soft">{t("dashboard.lastKnownCounts")}</span>}
      <CountsOf
        isKnown={isKnown}
        title={t("dashboard.monitors.title")}
        href={paths.monitors}
        counts={[
          { label: t("dashboard.monitors.up"), value: monitors.up - unknownOnes },
          {
            label: t("dashboard.monitors.down"),
            value: down,
            tone: "down",
            href: `${paths.monitors}?status=down`,
          },
          ...held(in_maintenance.monitors),
          ...some({
            label: t("common.status.degraded"),
            value: monitors.degraded,
            tone: "degraded",
            href: `${paths.monitors}?status=degraded`,
          }),
          ...some({
            label: t("common.status.unknown"),
            value: unknownOnes,
            href: `${paths.monitors}?status=unknown`,
          }),
          ...some({ label: t("common.status.pending"), value: monitors.pending, minor: true }),
          ...some({
            ...{ label: t("common.status.paused"), value: monitors.paused, minor: true },
            href: `${paths.monitors}?status=paused`,
          }),
          { label: t("dashboard.monitors.total"), value: monitors.total },
        ]}
      />
      <CountsOf
        isKnown={isKnown}
        title={t("dashboard.agents.title")}
        href={paths.agents}
        counts={[
          { label: t("dashboard.agents.up"), value: agents.active },
          {
            label: t("dashboard.agents.down"),
            value: offline,
            tone: "down",
            href: `${paths.agents}?status=inactive`,
          },
          ...held(in_maintenance.agents),
          ...some({ label: t("dashboard.agents.connecting"), value: agents.connecting, minor: true }),
          { label: t("dashboard.agents.total"), value: agents.total },
        ]}
      />
    </div>
  );
}

type FreshnessProps = { loadedAt: number | undefined; isKnown: boolean };

/** Whether changes are shown as they happen, or when the data was last loaded; while nothing is known, that it is the last known state. */
export function Freshness({ loadedAt, isKnown }: FreshnessProps) {
  const { t } = useTranslation();
  const isLive = useAtomValue(liveAtom);
  if (!isKnown)
    return (
      <span className="live-mark unknown soft small">
        <i />
        {t("dashboard.lastKnown")}
      </span>
    );
  if (isLive)
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
