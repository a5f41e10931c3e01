import { useAtomValue } from "jotai";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearch } from "wouter";
import { CLOCK } from "../../lib/format";
import { hubNow, nowAtom } from "../../lib/now";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";

/** Age of data that is no longer trusted (ms). */
const STALE = 120_000;

/** The dashboard for a television: no navigation, large and dark. */
export const WALL = `${paths.dashboard}?wall`;

/** Whether the address asks for the television view; the document then has the attribute `data-wall`, and is dark. */
export const useWall = (): boolean => {
  const wall = new URLSearchParams(useSearch()).has("wall");
  useEffect(() => {
    if (!wall) return;
    const { dataset } = document.documentElement;
    const { theme } = dataset;
    dataset.wall = "";
    dataset.theme = "dark";
    return () => {
      delete dataset.wall;
      dataset.theme = theme;
    };
  }, [wall]);
  return wall;
};

/** The time of the hub. It turns red, and says so, when the shown data is old. `loadedAt` is a time of the browser's clock. */
export function WallClock({ loadedAt }: { loadedAt: number | undefined }) {
  const { t, i18n } = useTranslation();
  useAtomValue(nowAtom);
  const isStale = loadedAt === undefined || Date.now() - loadedAt > STALE;
  const time = new Intl.DateTimeFormat(i18n.language, CLOCK);
  return (
    <div className="wall-end">
      <p className={isStale ? "wall-clock stale" : "wall-clock"} role={isStale ? "alert" : undefined}>
        {isStale && <span>{t("dashboard.wall.stale")}</span>}
        <time>{time.format(hubNow())}</time>
      </p>
      <Link href={paths.dashboard} className="button quiet icon-only" aria-label={t("dashboard.wall.leave")}>
        <Icon name="cross" />
      </Link>
    </div>
  );
}
