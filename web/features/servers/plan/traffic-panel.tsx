import { useAtom } from "jotai";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CONTRACT_DAYS } from "../../../../src/shared/agents/server-plan";
import { hubNow } from "../../../lib/now";
import { useRefreshOn } from "../../../lib/resource";
import { ResourceBar } from "../../../ui/charts/resource-bar";
import { Icon } from "../../../ui/controls/icon";
import { useFormat } from "../../../ui/hooks/use-format";
import { TableHead } from "../../../ui/layout/table-head";
import { costsAtom, type Server, type ServerDetail, trafficAtom } from "../api";
import { Panel } from "../detail/machine/panel";
import { daysUntil, formatMonth, noonOf, periodOf } from "./dates";
import { DayBars } from "./day-bars";
import type { Contract, Plan } from "./plan";
import { isModest } from "./traffic-cell";

type Traffic = NonNullable<Server["traffic"]>;

/** The traffic of a server in the month of its plan, its days and the months before, and its contract. */
export function TrafficPanel({ agent, action }: { agent: ServerDetail; action?: ReactNode }) {
  const { t, i18n } = useTranslation();
  const { traffic, plan } = agent;
  if (!traffic && !plan) return null;
  const hasTraffic = traffic !== null || (plan?.traffic ?? null) !== null;
  return (
    <Panel
      title={t(hasTraffic ? "plan.thisMonth" : "plan.contract")}
      {...(traffic && { note: formatMonth(i18n.language, traffic) })}
      className="traffic"
      action={action}
    >
      {traffic && <Month traffic={traffic} plan={plan} />}
      {traffic && <History agent={agent} traffic={traffic} />}
      {hasTraffic && !traffic && <p className="soft">{t("plan.notCounted")}</p>}
      {plan?.contract && <ContractFacts contract={plan.contract} isOwn={agent.owner === undefined} />}
    </Panel>
  );
}

/** The usage of a month, with remarks. */
function Month({ traffic, plan }: { traffic: Traffic; plan: Plan | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { rx, tx, used, quota, percent, exhausted_at } = traffic;
  const mode = plan?.traffic?.mode ?? "sum";
  const correction = plan?.traffic?.correction;
  const corrected = correction?.month === traffic.since ? correction?.bytes : undefined;
  return (
    <div className="month">
      {quota !== null && percent !== null && (
        <ResourceBar
          label={t("plan.used")}
          percent={percent}
          text={`${format.share(percent)} · ${t("common.of", { used: format.size(used), total: format.size(quota) })}`}
          neutral={isModest(percent)}
        />
      )}
      <dl className="directions">
        {quota === null && (
          <div>
            <dt>{t("plan.used")}</dt>
            <dd>{format.size(used)}</dd>
          </div>
        )}
        <div>
          <dt>{t("plan.received")}</dt>
          <dd>{format.size(rx)}</dd>
        </div>
        <div>
          <dt>{t("plan.sent")}</dt>
          <dd>{format.size(tx)}</dd>
        </div>
        {quota !== null && (
          <div>
            <dt>{t("plan.remaining")}</dt>
            <dd>{format.size(Math.max(0, quota - used))}</dd>
          </div>
        )}
      </dl>
      {(mode !== "sum" || corrected !== undefined) && (
        <p className="soft small">
          {[
            mode !== "sum" && t(`plan.counted.${mode}`),
            corrected !== undefined &&
              t("plan.corrected", { size: `${corrected < 0 ? "−" : "+"}${format.size(Math.abs(corrected))}` }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      )}
      {percent !== null && percent >= 100 && <Warning text={t("plan.usedUp")} />}
      {exhausted_at && <Warning text={t("plan.exhausted", { date: format.day(exhausted_at) })} />}
    </div>
  );
}

const Warning = ({ text }: { text: string }) => (
  <p className="message warn">
    <Icon name="alert" />
    {text}
  </p>
);

/** The days of the month, and the months before it behind a fold. */
function History({ agent, traffic }: { agent: ServerDetail; traffic: Traffic }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [{ data }, refresh] = useAtom(trafficAtom(String(agent.id)));
  useRefreshOn(`${traffic.since} ${traffic.used} ${traffic.rx} ${traffic.tx}`, refresh);
  if (!data?.traffic) return <div className="day-bars empty" />;
  const { since, until } = data.traffic;
  const earlier = data.months.slice(1);
  return (
    <>
      <DayBars days={data.days} since={since} until={until} />
      {earlier.length > 0 && (
        <details className="earlier">
          <summary>{t("plan.earlier", { count: earlier.length })}</summary>
          <table>
            <TableHead columns={[t("plan.month")]} figures={[t("plan.received"), t("plan.sent"), t("plan.used")]} />
            <tbody>
              {earlier.map((month) => (
                <tr key={month.since}>
                  <th scope="row">{formatMonth(i18n.language, month)}</th>
                  <td className="number" data-label={t("plan.received")}>
                    {format.size(month.rx)}
                  </td>
                  <td className="number" data-label={t("plan.sent")}>
                    {format.size(month.tx)}
                  </td>
                  <td className="number" data-label={t("plan.used")}>
                    {format.size(month.used)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  );
}

const money = (locale: string, amount: number, currency: string): string =>
  new Intl.NumberFormat(locale, { style: "currency", currency, trailingZeroDisplay: "stripIfInteger" }).format(amount);

/** When a contract ends, what it costs, and its note. `isOwn`: it is of a server of the viewer. */
function ContractFacts({ contract, isOwn }: { contract: Contract; isOwn: boolean }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const { ends_on, price, currency, months, note } = contract;
  const left = daysUntil(ends_on, hubNow());
  return (
    <dl className="facts contract">
      <div>
        <dt>{t("plan.endsOn")}</dt>
        <dd className={left <= CONTRACT_DAYS[0] ? "soon" : undefined}>
          {format.day(noonOf(ends_on))}{" "}
          <span className="soft">{left < 0 ? t("plan.ended") : t("plan.left", { count: left })}</span>
        </dd>
      </div>
      {price !== null && (
        <div>
          <dt>{t("plan.price")}</dt>
          <dd>
            {t("plan.priceFor", {
              price: money(i18n.language, price, currency),
              period: periodOf(months, t),
            })}
          </dd>
        </div>
      )}
      {price !== null && isOwn && <YearlyCosts />}
      {note && (
        <div className="wide">
          <dt>{t("plan.note")}</dt>
          <dd>{note}</dd>
        </div>
      )}
    </dl>
  );
}

/** What all servers of the viewer cost a year, where there are several with a price. */
function YearlyCosts() {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [{ data }] = useAtom(costsAtom);
  const costs = data?.costs ?? [];
  const servers = costs.reduce((sum, cost) => sum + cost.servers, 0);
  if (servers < 2) return null;
  return (
    <div>
      <dt>{t("plan.yearly", { count: servers })}</dt>
      <dd>{format.list(costs.map(({ year, currency }) => money(i18n.language, year, currency)))}</dd>
    </div>
  );
}
