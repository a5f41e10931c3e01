import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { CheckErrorCode } from "../../../src/shared/check-error";
import type { Condition } from "../../../src/shared/monitor";
import type { HubGapReason } from "../../../src/shared/outages/unknown";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { useFormat } from "../../ui/hooks/use-format";
import type { Attention, System } from "./api";

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

/** Parts that work only once they are set up, in the order of their hints. */
type Hint = "backup" | "mail";
const hintsOf = ({ last_backup, next_backup, database, mail }: System): Hint[] => [
  ...(last_backup === null && next_backup === null && database.engine === "sqlite" ? (["backup"] as const) : []),
  ...(mail.server === null ? (["mail"] as const) : []),
];

/** What needs attention, each with what to do, then what is not set up. Without any of the former, a line says that all is well. */
export function AttentionList({ system }: { system: System }) {
  const { t } = useTranslation();
  const detailOf = useDetail();
  const items = system.attention;
  const hints = hintsOf(system);
  const well = items.length === 0 && (
    <p className="message good">
      <Icon name="up" />
      {t("system.well")}
    </p>
  );
  if (well && hints.length === 0) return well;
  return (
    <>
      {well}
      <section className="card">
        <div className="section-head">
          <h2>{t(well ? "system.hints" : "system.needs")}</h2>
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
          {hints.map((hint) => (
            <li key={hint}>
              <Icon name="pending" className="quiet" />
              <div>
                <strong>{t(`system.hint.${hint}.title`)}</strong>
                <p className="soft">{t(`system.hint.${hint}.text`)}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
