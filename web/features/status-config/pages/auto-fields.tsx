import { useTranslation } from "react-i18next";
import { AUTO_MINUTES, type AutoIncidents } from "../../../../src/shared/status/auto-incidents";
import { INCIDENT_LIMITS, type TextVariable } from "../../../../src/shared/status/incidents";
import { Field } from "../../../ui/controls/field";
import { Switch } from "../../../ui/controls/switch";

type Props = { value: AutoIncidents | null; canChange: boolean; onChange: (value: AutoIncidents | null) => void };

/** The variables stay in the texts, and are replaced when an incident is published. */
const variables = { component: "{{component}}", since: "{{since}}", duration: "{{duration}}" } satisfies Record<
  TextVariable,
  string
>;

/** The setting of incidents that are published without a person, with the texts that they begin with. */
export function AutoFields({ value, canChange, onChange }: Props) {
  const { t } = useTranslation();
  const initial = (): AutoIncidents => ({
    ...{ after: 10, title: t("pages.auto.titleText", variables), body: t("pages.auto.bodyText", variables) },
    ...{ resolve_after: 5, resolved_body: t("pages.auto.resolvedText", variables) },
  });
  const minutes = (name: keyof typeof AUTO_MINUTES, set: AutoIncidents) => (
    <Field label={t(`pages.auto.${name}`)}>
      <input
        type="number"
        required
        {...AUTO_MINUTES[name]}
        value={set[name] || ""}
        onChange={({ target }) => onChange({ ...set, [name]: target.valueAsNumber || 0 })}
      />
    </Field>
  );
  const text = (name: "body" | "resolved_body", set: AutoIncidents) => (
    <Field label={t(`pages.auto.${name}`)}>
      <textarea
        className="prose"
        rows={2}
        required
        maxLength={INCIDENT_LIMITS.body}
        value={set[name]}
        onChange={({ target }) => onChange({ ...set, [name]: target.value })}
      />
    </Field>
  );
  return (
    <fieldset className="card page-fields" disabled={!canChange}>
      <Switch label={t("pages.auto.on")} checked={value !== null} onChange={(on) => onChange(on ? initial() : null)} />
      <p className="soft small">{t("pages.auto.about")}</p>
      {value && (
        <>
          {minutes("after", value)}
          <Field
            label={t("pages.auto.title")}
            hint={t("pages.auto.variables", { names: Object.values(variables).join(" ") })}
          >
            <input
              required
              maxLength={INCIDENT_LIMITS.title}
              autoComplete="off"
              value={value.title}
              onChange={({ target }) => onChange({ ...value, title: target.value })}
            />
          </Field>
          {text("body", value)}
          {minutes("resolve_after", value)}
          {text("resolved_body", value)}
        </>
      )}
    </fieldset>
  );
}
