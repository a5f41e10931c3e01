import { useTranslation } from "react-i18next";
import { clampPercent, resourceLevel } from "../../lib/format";

type Props = {
  label: string;
  percent: number;
  text: string;
  /** One colour at every percentage, for figures without a bad level, such as network traffic. */
  neutral?: boolean;
};

/** A bar for the usage of CPU, memory or a disk; in a neutral colour, for a figure on a scale. */
export function ResourceBar({ label, percent, text, neutral }: Props) {
  return (
    <div className="resource">
      <div className="resource-head">
        <span>{label}</span>
        <span className="figure">{text}</span>
      </div>
      <Bar label={label} percent={percent} text={text} neutral={neutral} />
    </div>
  );
}

type CellProps = Omit<Props, "percent"> & {
  percent: number | null;
  /** The label in short, for phones, where a table has no heads. */
  short?: string;
};

/** A bar for a row of a table or list, with its figure on it. Null is an unknown figure. */
export function ResourceCell({ percent, short, ...props }: CellProps) {
  return (
    <span className="resource-cell">
      <Bar percent={percent ?? 0} {...props} />
      {short && (
        <span className="short" aria-hidden="true">
          {short}
        </span>
      )}
      <span className="figure" aria-hidden="true">
        {props.text}
      </span>
    </span>
  );
}

/** The bar alone, for a head that has its label and figure. */
export function Bar({ label, percent, text, neutral = false }: Props) {
  const { t } = useTranslation();
  const full = clampPercent(percent);
  // A drawing, because the policy of the public status page refuses style attributes in its document.
  return (
    <svg className="bar" role="img" aria-label={t("common.labelled", { label, value: text })}>
      <rect className={neutral ? "neutral" : resourceLevel(full)} width={`${full}%`} height="100%" rx="4" />
    </svg>
  );
}
