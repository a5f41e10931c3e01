import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { CERTIFICATE_DAYS } from "../../../../../../src/shared/certificate";
import { text } from "../../../../../lib/form";
import { Field } from "../../../../../ui/controls/field";
import type { Fact } from "../kind";

/** The numbers of a field that holds several, such as `21, 7, 1`; null if it holds anything else. */
export const readDays = (form: FormData, name: string): number[] | null => {
  const words = text(form, name)
    .split(/[\s,;，、；]+/)
    .filter(Boolean);
  const days = words.map(Number);
  const { most, longest } = CERTIFICATE_DAYS;
  const areValid = days.length <= most && days.every((one) => Number.isInteger(one) && one >= 1 && one <= longest);
  return areValid ? days : null;
};

/** The thresholds on the page of a monitor. */
export const certificateDaysFact = (days: readonly number[], t: TFunction): Fact => ({
  label: t("kinds.certificate.days"),
  value: days.length === 0 ? t("kinds.certificate.never") : t("kinds.certificate.shownDays", { days: days.join(", ") }),
});

type Props = { name: string; stored: readonly number[]; error?: string };

/** The field of how many days before the expiry of a certificate alerts are sent. */
export function CertificateDaysField({ name, stored, error }: Props) {
  const { t } = useTranslation();
  return (
    <Field label={t("kinds.certificate.days")} hint={t("kinds.certificate.daysHint")} error={error}>
      <input
        name={name}
        type="text"
        inputMode="numeric"
        maxLength={100}
        defaultValue={stored.join(", ")}
        placeholder={t("kinds.certificate.never")}
        autoComplete="off"
      />
    </Field>
  );
}
