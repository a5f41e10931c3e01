import { useTranslation } from "react-i18next";
import { clampPercent, resourceLevel } from "../../lib/format";

type Props = {
  label: string;
  percent: number;
  text: string;
  /** For figures of which much is not bad, as of network traffic: one colour whatever the percentage. */
  neutral?: boolean;
};

/** How full something is: CPU, memory, a disk. Or, in a neutral colour, how much of a scale a figure fills. */
export function ResourceBar({ label, percent, text, neutral = false }: Props) {
  const { t } = useTranslation();
  const full = clampPercent(percent);
  return (
    <div className="resource">
      <div className="resource-head">
        <span>{label}</span>
        <span className="figure">{text}</span>
      </div>
      {/* A drawing, because the policy of the public status page refuses style attributes in its document. */}
      <svg className="bar" role="img" aria-label={t("common.labelled", { label, value: text })}>
        <rect className={neutral ? "neutral" : resourceLevel(full)} width={`${full}%`} height="100%" rx="4" />
      </svg>
    </div>
  );
}
