import { useAtomValue } from "jotai";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { isBroken } from "../../../../src/shared/notifications";
import { paths } from "../../../paths";
import { OwnerTag, StatusMark } from "../../../ui/feedback/badge";
import { useFormat } from "../../../ui/hooks/use-format";
import { TableHead } from "../../../ui/layout/table-head";
import { useDeliveryError } from "../../notifications/labels";
import { hubUnknownAtom } from "../../problems/api";
import { outageMark } from "../../problems/outage-mark";
import { useReason } from "../../problems/use-reason";
import { Ongoing, Start, useLasted } from "../start";
import type { ListedOutage } from "./api";

/** A table of outages. Each row has a link to the page of its outage. */
export function OutageTable({ outages }: { outages: readonly ListedOutage[] }) {
  const { t } = useTranslation();
  const toldOf = useTold();
  const columns = (["what", "why", "began", "lasted", "told", "by"] as const).map((name) =>
    t(`outages.list.columns.${name}`),
  );
  const rows = outages.map((outage) => ({ outage, told: toldOf(outage) }));
  const without = [
    !rows.some(({ told }) => told) && "without-fifth",
    !outages.some(({ acknowledged }) => acknowledged) && "without-sixth",
  ];
  return (
    <div className={["card table-card outages-table", ...without].filter(Boolean).join(" ")}>
      <table>
        <TableHead columns={columns} />
        <tbody>
          {rows.map(({ outage, told }) => (
            <Row key={outage.id} outage={outage} told={told} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ outage, told }: { outage: ListedOutage; told: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, kind, target_name, ended_at, acknowledged, note, maintenance } = outage;
  const reason = useReason()({ ...outage, figure: null, threshold: null, mount: null, last_report: null });
  const lastedOf = useLasted();
  const by =
    acknowledged &&
    [acknowledged.by ?? acknowledged.link?.channel_name, format.moment(acknowledged.at)].filter(Boolean).join(", ");
  const label = t(`outages.kinds.${kind}.label`);
  const isUnknown = useAtomValue(hubUnknownAtom) !== null && !ended_at;
  const tone = maintenance ? "maintenance" : isUnknown ? "unknown" : isBroken(kind) ? "down" : "degraded";
  return (
    <tr className={`${ended_at ? "" : "open "}${tone}`}>
      <th scope="row">
        <span className="outages-name">
          <StatusMark
            status={maintenance ? "maintenance" : ended_at ? "paused" : isUnknown ? "unknown" : outageMark(kind)}
            label={label}
          />
          <span>
            <Link href={paths.outage(id)}>{target_name}</Link> <OwnerTag of={outage} />
          </span>
        </span>
      </th>
      <td className="outages-why">
        {reason || label}
        {maintenance && <small className="soft">{t("common.status.maintenance")}</small>}
        {note && <small className="soft truncate">{note.text}</small>}
      </td>
      <td className="outages-began">
        <Start outage={outage} short />
      </td>
      <td className="outages-lasted">{ended_at ? lastedOf({ ...outage, ended_at }) : <Ongoing outage={outage} />}</td>
      <td className={told ? "outages-told soft small" : "none"} data-label={t("outages.list.columns.told")}>
        {told ? <span className="truncate">{told}</span> : "–"}
      </td>
      <td className={by ? "outages-by soft small" : "none"} data-label={t("outages.list.columns.by")}>
        {by || "–"}
      </td>
    </tr>
  );
}

/** Renders who was notified, or why the first message was withheld; null where neither is known. */
const useTold = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const deliveryError = useDeliveryError();
  return ({ notified, failed, withheld, explained_by }: ListedOutage): ReactNode => {
    const lost = failed > 0 && t("outages.list.failedMessages", { count: failed });
    if (notified.length > 0) return [format.list(notified), lost].filter(Boolean).join(" · ");
    if (lost) return lost;
    if (withheld) return t("outages.list.withheld", { reason: deliveryError({ code: withheld, detail: null }) });
    return explained_by && <Link href={paths.outage(explained_by)}>{t("outages.list.explained")}</Link>;
  };
};
