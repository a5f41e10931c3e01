import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { nowAtom } from "../../../lib/now";
import type { SectionProps } from "../section";
import { useMoment } from "../since";

/** Names in an entry; others are counted. */
const NAMED = 5;

type Page = SectionProps["page"];

/** The names of what maintenance is about. */
function Names({ of: { monitors, agents, components = [] }, page }: { of: Page["maintenance"][number]; page: Page }) {
  const { t } = useTranslation();
  const isAbout = ({ id, key = "" }: { id: number; key?: string }) => monitors.includes(id) || components.includes(key);
  const names = [
    // Components of the page are among its monitors here.
    ...page.monitors.filter(isAbout),
    ...page.agents.filter(({ id }) => agents.includes(id)),
  ].map(({ name }) => name);
  const rest = names.length - NAMED;
  return [...names.slice(0, NAMED), ...(rest > 0 ? [t("statusPage.more", { count: rest })] : [])].join(
    t("common.bar.separator"),
  );
}

/** Maintenance that runs, and that begins in the next days. */
export function Maintenance({ page, feed }: SectionProps) {
  const { t } = useTranslation();
  const moment = useMoment();
  const now = useAtomValue(nowAtom);
  if (page.maintenance.length === 0) return null;
  return (
    <section className="outages">
      <h2>{t("statusPage.planned")}</h2>
      <ul className="planned">
        {page.maintenance.map((entry) => (
          <li key={`${entry.id} ${entry.from}`} className={Date.parse(entry.from) <= now ? "past running" : "past"}>
            <b>{entry.title || t("statusPage.planned")}</b>{" "}
            <span suppressHydrationWarning>{`${moment(entry.from)} – ${moment(entry.to, entry.from)}`}</span>{" "}
            <span>
              <Names of={entry} page={page} />
            </span>
          </li>
        ))}
      </ul>
      <small>
        <a href={feed.replace("feed.xml", "maintenance.ics")}>{t("statusPage.calendar")}</a>
      </small>
    </section>
  );
}
