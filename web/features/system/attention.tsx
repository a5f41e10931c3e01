import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { CheckErrorCode } from "../../../src/shared/check-error";
import type { Condition } from "../../../src/shared/monitor";
import type { HubGapReason } from "../../../src/shared/outages/unknown";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { useFormat } from "../../ui/hooks/use-format";
import type { Attention } from "./api";

/** Where an administrator does something about it. */
const PLACES = {
  channels_refused: `${paths.notifications}?tab=channels`,
  registration_open: paths.users,
  agents_outdated: paths.agents,
} as const;
const hasPlace = (code: Attention["code"]): code is keyof typeof PLACES => Object.hasOwn(PLACES, code);

/** Without these Wakeful does nothing. */
const URGENT: readonly Attention["code"][] = ["database_not_writable", "unknown_now"];

type Figure =
  | "reason"
  | "condition"
  | "seconds"
  | "free"
  | "total"
  | "days"
  | "minutes"
  | "channels"
  | "agents"
  | "names";

/** The figures of an item as its words show them. */
const useDetail = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const checkError = useCheckError();
  return ({ code, detail }: Attention): Partial<Record<Figure, string>> => {
    if (code === "backup_failed")
      return { reason: checkError({ error_code: detail.problem as CheckErrorCode, error_detail: null }) };
    if (code === "unknown_now") return { reason: t(`unknown.reason.${detail.reason as HubGapReason}`) };
    if (code === "condition") return { condition: t(`dashboard.condition.${detail.condition as Condition}`) };
    const write = code === "disk_nearly_full" ? format.size : format.number;
    return Object.fromEntries(
      Object.entries(detail).map(([name, value]) => [name, typeof value === "number" ? write(value) : value]),
    );
  };
};

/** One line when all is well; otherwise what needs attention, each with what to do. */
export function AttentionList({ items }: { items: readonly Attention[] }) {
  const { t } = useTranslation();
  const detailOf = useDetail();
  if (items.length === 0)
    return (
      <p className="message good">
        <Icon name="up" />
        {t("system.well")}
      </p>
    );
  return (
    <section className="card">
      <div className="section-head">
        <h2>{t("system.needs")}</h2>
      </div>
      <ul className="attention">
        {items.map((item) => {
          const detail = detailOf(item);
          return (
            <li key={`${item.code} ${item.detail.condition ?? ""}`}>
              <Icon name="alert" {...(URGENT.includes(item.code) && { className: "urgent" })} />
              <div>
                <strong>{t(`system.attention.${item.code}.title`, detail)}</strong>
                <p className="soft">{t(`system.attention.${item.code}.text`, detail)}</p>
              </div>
              {hasPlace(item.code) && (
                <Link href={PLACES[item.code]} className="button plain compact">
                  {t(`system.open.${item.code}`)}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
