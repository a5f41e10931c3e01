import { type ComponentType, useState } from "react";
import { useTranslation } from "react-i18next";
import { pageState } from "../../../../src/shared/status/page-state";
import { PageIcon } from "../../../ui/controls/page-icon";
import { useAgo } from "../../../ui/feedback/ago";
import { healthOf, unknownSince } from "../blocks";
import { incidentSections as lazy } from "../incidents/registry";
import type { Section, SectionProps } from "../section";
import { Since } from "../since";

const signs = {
  affected: "gauge",
  operational: "up",
  degraded: "gauge",
  partial: "down",
  outage: "alert",
  maintenance: "maintenance",
  unknown: "unknown",
} as const;
/** Names in the banner: as many as leave the first row in sight. */
const NAMED = 5;

/** Failures with their start, or else slow responses, in the order of the page. */
function Broken({ page: { monitors, agents, overall } }: Pick<SectionProps, "page">) {
  const { t } = useTranslation();
  const of = Map.groupBy([...monitors, ...agents], healthOf);
  const slow = of.get("slow") ?? [];
  const broken = (overall === "degraded" ? slow : of.get("broken")) ?? [];
  if (broken.length === 0) return null;
  // Open incidents name their services themselves.
  const named = broken.filter(({ component_status }) => !component_status);
  const well = of.get("well")?.length ?? 0;
  return (
    <>
      {(overall === "partial" || (overall === "outage" && well > 0)) && (
        <p className="count">
          {t("statusPage.broken", { count: broken.length, well })}
          {slow.length > 0 && ` · ${t("statusPage.slow", { count: slow.length })}`}
        </p>
      )}
      {named.length > 0 && (
        <ul className="broken">
          {named.slice(0, NAMED).map(({ id, name, status, since }) => (
            <li key={`${status}-${id}`}>
              <b>{name}</b>
              {since && (
                <span>
                  {" · "}
                  <Since since={since} exact />
                </span>
              )}
            </li>
          ))}
          {named.length > NAMED && <li>{t("statusPage.more", { count: named.length - NAMED })}</li>}
        </ul>
      )}
    </>
  );
}

/** The state of the whole page in words. A page without any change counts as updated when it was read. */
function Banner({ page, readAt, feed }: SectionProps) {
  const { t } = useTranslation();
  const { updated_at } = page;
  const time = updated_at ?? new Date(readAt).toISOString();
  const ago = useAgo(time);
  const state = pageState(page);
  const hasSign = state !== "unchecked" && state !== "nothing";
  const since = unknownSince(page);
  const [Dialog, setDialog] = useState<ComponentType<{ feed: string; onClose: () => void }>>();
  const subscribe = async () => {
    const loaded = await (await import("../subscribe/load")).load();
    setDialog(() => loaded);
  };
  return (
    <div className={`banner ${hasSign ? (state === "affected" ? "degraded" : state) : "empty"}`}>
      <p className="state" role="status">
        {hasSign && <PageIcon name={signs[state]} />}
        <span>{t(`statusPage.${state}`)}</span>
      </p>
      {since && (
        <p>
          <Since since={since} exact />
        </p>
      )}
      {page.overall && page.unknown && lazy.Paused && <lazy.Paused since={page.unknown.since} />}
      <Broken page={page} />
      <p className="updated">
        <time dateTime={time} suppressHydrationWarning>
          {t("common.updated", { time: ago })}
        </time>
        {" · "}
        <a
          className="subscribe"
          href={feed}
          onClick={(event) => {
            event.preventDefault();
            void subscribe();
          }}
        >
          {t("statusPage.subscribe")}
        </a>
      </p>
      {Dialog && <Dialog feed={feed} onClose={() => setDialog(undefined)} />}
    </div>
  );
}

export const bannerSection: Section = { key: "banner", draw: Banner };
