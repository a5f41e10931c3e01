import { useTranslation } from "react-i18next";
import {
  TEMPLATE_FILTER_NAMES,
  TEMPLATE_VARIABLE_NAMES,
  type TemplateFilter,
  type TemplateVariable,
} from "../../../../src/shared/template/variables";
import type { TemplatePreview } from "./use-preview";

type PaletteProps = {
  /** The values of the example event; a variable without a value is empty. */
  values: Readonly<Record<string, string>> | undefined;
  onInsert: (variable: TemplateVariable) => void;
};

/** The variables: a press inserts one where the cursor is. */
export function Palette({ values, onInsert }: PaletteProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="field template-palette">
      <legend>{t("notifications.template.variables")}</legend>
      <div>
        {TEMPLATE_VARIABLE_NAMES.map((name) => {
          const value = values?.[name];
          const isEmpty = values !== undefined && value === undefined;
          return (
            <button
              key={name}
              type="button"
              className={isEmpty ? "plain compact empty" : "plain compact"}
              title={isEmpty ? t("notifications.template.emptyHere", { name }) : `{{${name}}} → ${value ?? "…"}`}
              onClick={() => onInsert(name)}
            >
              {t(`notifications.template.variable.${name}`)}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}

const EXAMPLES: Record<TemplateFilter, string> = {
  default: '{{error | default:"–"}}',
  time: "{{time | time:HH:mm}}",
  limit: "{{error | limit:60}}",
  upper: "{{name | upper}}",
  lower: "{{name | lower}}",
  url: "{{name | url}}",
  json: "{{message | json}}",
  json_text: "{{title | json_text}}",
};

/** What filters do, with an example of each. */
export function Filters() {
  const { t } = useTranslation();
  return (
    <details className="template-filters">
      <summary>{t("notifications.template.filters")}</summary>
      <p className="soft small">{t("notifications.template.emptyLines")}</p>
      <dl>
        {TEMPLATE_FILTER_NAMES.map((name) => (
          <div key={name}>
            <dt>
              <code>{EXAMPLES[name]}</code>
            </dt>
            <dd>{t(`notifications.template.filter.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

type PreviewProps = { preview: TemplatePreview | undefined; stale: boolean; failed: boolean };

/** The message of an example event. While the template has errors it shows the last valid one. */
export function Preview({ preview, stale, failed }: PreviewProps) {
  const { t } = useTranslation();
  return (
    <section
      className={stale ? "template-preview stale" : "template-preview"}
      aria-label={t("notifications.template.preview")}
    >
      <h3>{t("notifications.template.preview")}</h3>
      <div className="message-sample">
        {preview && (
          <>
            <strong>{preview.title}</strong>
            <p>{preview.lines.join("\n")}</p>
          </>
        )}
      </div>
      <p className="soft small" role="status">
        {failed
          ? t("notifications.template.previewFailed")
          : stale
            ? t("notifications.template.previewStale")
            : t("notifications.template.previewText")}
      </p>
    </section>
  );
}
