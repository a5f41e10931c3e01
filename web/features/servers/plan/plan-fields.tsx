import { useId } from "react";
import { useTranslation } from "react-i18next";
import { PLAN_LIMITS, TRAFFIC_MODES } from "../../../../src/shared/agents/server-plan";
import { browserTimeZone, timeZones } from "../../../lib/format";
import { Field } from "../../../ui/controls/field";
import { useFormat } from "../../../ui/hooks/use-format";
import type { Server } from "../api";
import { periodOf } from "./dates";
import { inUnit, type Plan, UNITS, unitOf } from "./plan";

type Props = { agent: Pick<Server, "plan" | "traffic">; wrong: (field: string) => string | undefined };

/** How the provider of a server counts its traffic, and when its contract ends. */
export function PlanFields({ agent, wrong }: Props) {
  const { plan, traffic } = agent;
  return (
    <>
      <TrafficFields stored={plan?.traffic ?? null} traffic={traffic} wrong={wrong} />
      <ContractFields stored={plan?.contract ?? null} wrong={wrong} />
    </>
  );
}

type TrafficProps = { stored: Plan["traffic"]; traffic: Server["traffic"]; wrong: Props["wrong"] };

function TrafficFields({ stored, traffic, wrong }: TrafficProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const zones = useId();
  const correction = stored?.correction?.month === traffic?.since ? stored?.correction : null;
  return (
    <section className="card">
      <h2>{t("plan.traffic")}</h2>
      <p className="soft small">{t("plan.trafficHint")}</p>
      <QuotaField quota={stored?.quota ?? null} error={wrong("plan_quota")} />
      <div className="pair">
        <Field label={t("plan.mode")}>
          <select name="plan_mode" defaultValue={stored?.mode ?? "sum"}>
            {TRAFFIC_MODES.map((mode) => (
              <option key={mode} value={mode}>
                {t(`plan.modes.${mode}`)}
              </option>
            ))}
          </select>
        </Field>
        <Field
          label={t("plan.correction")}
          hint={
            traffic
              ? t("plan.correctionHint", { used: format.size(traffic.used - (correction?.bytes ?? 0)) })
              : t("plan.correctionUse")
          }
          error={wrong("plan_correction")}
          optional
        >
          <input
            name="plan_correction"
            inputMode="decimal"
            maxLength={12}
            defaultValue={correction ? inUnit(correction.bytes, "GB") : ""}
            autoComplete="off"
          />
        </Field>
      </div>
      <div className="pair">
        <Field label={t("plan.resetDay")} hint={t("plan.resetDayHint")} error={wrong("plan_reset_day")}>
          <input
            name="plan_reset_day"
            type="number"
            required
            min={1}
            max={31}
            step={1}
            defaultValue={stored?.reset_day ?? 1}
          />
        </Field>
        <Field label={t("plan.zone")} error={wrong("plan_zone")}>
          <input
            name="plan_zone"
            required
            list={zones}
            defaultValue={stored?.zone ?? browserTimeZone()}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <datalist id={zones}>
          {timeZones().map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
    </section>
  );
}

/** A number beside its unit. */
function QuotaField({ quota, error }: { quota: number | null; error: string | undefined }) {
  const { t } = useTranslation();
  const unit = unitOf(quota);
  const units = (
    <select name="plan_unit" defaultValue={unit} aria-label={t("plan.unit")}>
      {Object.keys(UNITS).map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
  return (
    <Field label={t("plan.quota")} hint={t("plan.quotaHint")} error={error} unit={units} optional>
      <input
        name="plan_quota"
        inputMode="decimal"
        maxLength={12}
        defaultValue={quota === null ? "" : inUnit(quota, unit)}
        autoComplete="off"
      />
    </Field>
  );
}

/** The usual periods of payment in months. */
const PERIODS = [1, 3, 6, 12, 24, 36];
const CURRENCIES = ["CNY", "EUR", "GBP", "HKD", "JPY", "USD"];

function ContractFields({ stored, wrong }: { stored: Plan["contract"]; wrong: Props["wrong"] }) {
  const { t, i18n } = useTranslation();
  const currencies = useId();
  const months = stored?.months ?? 12;
  const periods = [...new Set([...PERIODS, months])].toSorted((one, other) => one - other);
  return (
    <section className="card">
      <h2>{t("plan.contract")}</h2>
      <p className="soft small">{t("plan.contractHint")}</p>
      <Field label={t("plan.endsOn")} error={wrong("plan_ends_on")} optional>
        <input name="plan_ends_on" type="date" min="2000-01-01" max="2099-12-31" defaultValue={stored?.ends_on ?? ""} />
      </Field>
      <div className="plan-price">
        <Field label={t("plan.price")} error={wrong("plan_price")} optional>
          <input
            name="plan_price"
            inputMode="decimal"
            maxLength={12}
            defaultValue={stored?.price ?? ""}
            autoComplete="off"
          />
        </Field>
        <Field label={t("plan.currency")} error={wrong("plan_currency")}>
          <input
            name="plan_currency"
            maxLength={3}
            list={currencies}
            defaultValue={stored?.currency || (i18n.language === "zh-CN" ? "CNY" : "USD")}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field label={t("plan.period")}>
          <select name="plan_months" defaultValue={months}>
            {periods.map((count) => (
              <option key={count} value={count}>
                {periodOf(count, t)}
              </option>
            ))}
          </select>
        </Field>
        <datalist id={currencies}>
          {CURRENCIES.map((currency) => (
            <option key={currency} value={currency} />
          ))}
        </datalist>
      </div>
      <Field label={t("plan.note")} error={wrong("plan_note")} optional>
        <input name="plan_note" maxLength={PLAN_LIMITS.note} defaultValue={stored?.note ?? ""} autoComplete="off" />
      </Field>
    </section>
  );
}
