import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { nowAtom } from "../../../lib/now";
import { usePageFormat } from "../../../ui/hooks/use-page-format";
import type { SectionProps } from "../section";
import { Until, useMoment } from "../since";

/** Names in an entry; others are counted. */
const NAMED = 5;

type Page = SectionProps["page"];

/** The names of what maintenance is about. */
function Names({ of: { monitors, agents, components = [] }, page }: { of: Page["maintenance"][number]; page: Page }) {
  const { t } = useTranslation();
  const format = usePageFormat();
  const isAbout = ({ id, key = "" }: { id: number; key?: string }) => monitors.includes(id) || components.includes(key);
  const names = [
    // Components of the page are among its monitors here.
    ...page.monitors.filter(isAbout),
    ...page.agents.filter(({ id }) => agents.includes(id)),
  ].map(({ name }) => name);
  const rest = names.length - NAMED;
  return format.names([...names.slice(0, NAMED), ...(rest > 0 ? [t("statusPage.more", { count: rest })] : [])]);
}

const Calendar = ({ feed }: { feed: string }) => {
  const { t } = useTranslation();
  return (
    <small>
      <a href={feed.replace("feed.xml", "maintenance.ics")}>{t("statusPage.calendar")}</a>
    </small>
  );
};

const useParts = ({ maintenance }: Page) => {
  const now = useAtomValue(nowAtom);
  const isRunning = ({ from }: Page["maintenance"][number]) => Date.parse(from) <= now;
  return { running: maintenance.filter(isRunning), upcoming: maintenance.filter((one) => !isRunning(one)) };
};

/** Maintenance that runs, below the banner. */
export function Running({ page, feed }: SectionProps) {
  const { t } = useTranslation();
  const { running, upcoming } = useParts(page);
  if (running.length === 0) return null;
  return (
    <section className="outages" aria-label={t("statusPage.maintenance")}>
      <ul className="planned">
        {running.map((entry) => (
          <li key={`${entry.id} ${entry.from}`} className="past running">
            <b>{entry.title || t("statusPage.planned")}</b>{" "}
            <span>
              {entry.title && `${t("statusPage.planned")} `}
              <Until time={entry.to} />
            </span>{" "}
            <span>
              <Names of={entry} page={page} />
            </span>
          </li>
        ))}
      </ul>
      {upcoming.length === 0 && <Calendar feed={feed} />}
    </section>
  );
}

/** Maintenance that begins in the next days. */
export function Upcoming({ page, feed }: SectionProps) {
  const { t } = useTranslation();
  const moment = useMoment();
  const { upcoming } = useParts(page);
  if (upcoming.length === 0) return null;
  return (
    <section className="outages">
      <h2>{t("statusPage.planned")}</h2>
      <ul className="planned">
        {upcoming.map((entry) => (
          <li key={`${entry.id} ${entry.from}`} className="past">
            <b>{entry.title || t("statusPage.planned")}</b>{" "}
            <span suppressHydrationWarning>{`${moment(entry.from)} – ${moment(entry.to, entry.from)}`}</span>{" "}
            <span>
              <Names of={entry} page={page} />
            </span>
          </li>
        ))}
      </ul>
      <Calendar feed={feed} />
    </section>
  );
}
