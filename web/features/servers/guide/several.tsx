import { useTranslation } from "react-i18next";
import { ENROLLMENT_LIMITS } from "../../../../src/shared/agents/enrollment";
import { DAY } from "../../../../src/shared/limits";
import { whole } from "../../../lib/form";
import { hubNow } from "../../../lib/now";
import { Field } from "../../../ui/controls/field";
import { Form, FormFoot } from "../../../ui/controls/form";
import { Segments } from "../../../ui/controls/segments";
import { useSubmit } from "../../../ui/hooks/use-submit";

type CountProps = { several: boolean; onChoose: (several: boolean) => void };

/** The choice between a token for one machine and one for several. */
export function ServerCount({ several, onChoose }: CountProps) {
  const { t } = useTranslation();
  return (
    <Segments
      label={t("enrollment.count")}
      choices={(["one", "several"] as const).map((value) => ({ value, label: t(`enrollment.${value}`) }))}
      chosen={several ? "several" : "one"}
      onChoose={(value) => onChoose(value === "several")}
    />
  );
}

/** The choices for the lifetime of a token for several machines, in days. */
const LIFETIMES = [1, 7, 30, 90, 180] as const;

type FormProps = { create: (wanted: { uses: number; expires_at: string }) => Promise<void> };

/** Creates a token for several machines. */
export function SeveralForm({ create }: FormProps) {
  const { t } = useTranslation();
  const form = useSubmit(t("agents.guide.tokenFailed"));
  const onValid = (fields: FormData) =>
    form.submit(() =>
      create({
        uses: whole(fields, "uses"),
        expires_at: new Date(hubNow() + whole(fields, "days") * DAY).toISOString(),
      }),
    );
  return (
    <Form of={form} className="several-form" onValid={onValid}>
      <p className="soft">{t("enrollment.text")}</p>
      <div className="pair">
        <Field label={t("enrollment.uses")} error={form.wrong("uses")}>
          <input type="number" name="uses" required min={2} max={ENROLLMENT_LIMITS.uses} step={1} defaultValue={10} />
        </Field>
        <Field label={t("enrollment.lifetime")} error={form.wrong("expires_at")}>
          <select name="days" defaultValue={7}>
            {LIFETIMES.map((count) => (
              <option key={count} value={count}>
                {t("enrollment.days", { count })}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <FormFoot of={form} submit={t("enrollment.create")} />
    </Form>
  );
}
