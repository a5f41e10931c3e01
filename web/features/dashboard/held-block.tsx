import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { OwnerTag, StatusMark } from "../../ui/feedback/badge";
import { useFormat } from "../../ui/hooks/use-format";
import { useSince } from "../outages/start";
import { type Dashboard, dashboardAtom, type Group, groupsOf, targetKey } from "../problems/api";
import { useReason } from "../problems/use-reason";

/** Outages that are named; others are counted. */
const NAMED = 8;

type Held = Dashboard["in_maintenance"]["outages"][number];

function Row({ outages: [outage, ...more] }: { outages: Group<Held> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const since = useSince();
  const { id, kind, target_type, target_id, target_name, maintenance } = outage;
  const single = useReason()(outage) || t(`outages.kinds.${kind}.label`);
  const reason = more.length > 0 ? t("problems.alerts", { count: more.length + 1 }) : single;
  return (
    <li>
      <StatusMark status="maintenance" label={t("common.status.maintenance")} />
      <b className="named">
        <Link href={target_type === "monitor" ? paths.monitor(target_id) : paths.agent(target_id)} className="truncate">
          {target_name}
        </Link>
        <OwnerTag of={outage} />
      </b>
      <span className="reason">
        {reason} · <Link href={paths.outage(id)}>{since({ ...outage, started_at: outage.since })}</Link>
      </span>
      {maintenance && (
        <span className="until">{t("problems.held.until", { time: format.moment(maintenance.until) })}</span>
      )}
    </li>
  );
}

/** The open outages in maintenance, which are no problems. Renders nothing without any. */
export function HeldBlock() {
  const { t } = useTranslation();
  const held = useAtomValue(dashboardAtom).data?.in_maintenance;
  if (!held || held.total === 0) return null;
  const targets = groupsOf(held.outages, targetKey);
  // Of very many, the last ones are not in the answer.
  const count = targets.length + held.total - held.outages.length;
  const missing = count - Math.min(NAMED, targets.length);
  return (
    <section className="held" aria-label={t("common.status.maintenance")}>
      <h2>
        {t("common.status.maintenance")} <span className="count">{count}</span>
      </h2>
      <ul>
        {targets.slice(0, NAMED).map((outages) => (
          <Row key={outages[0].id} outages={outages} />
        ))}
      </ul>
      {missing > 0 && <p className="more">{t("problems.held.more", { count: missing })}</p>}
    </section>
  );
}
