import { useOptimistic, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { LANGUAGES, type Language } from "../../../src/shared/language";
import { paths } from "../../paths";
import { Field } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { setAlertLanguage } from "./calls";

const names: Record<Language, string> = { "zh-CN": "中文", "en-US": "English" };

/** A link to the notification rules, and the language of the user's alerts. */
export function AlertsSection({ language, onSaved }: { language: Language; onSaved: () => Promise<unknown> }) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [chosen, setChosen] = useOptimistic(language);
  const [, start] = useTransition();

  const change = (next: Language) =>
    start(async () => {
      setChosen(next);
      try {
        await setAlertLanguage(next);
        toast(t("profile.alerts.saved"));
      } catch (error) {
        toast(failureText(t("profile.alerts.failed"), error), { tone: "bad" });
      }
      await onSaved();
    });

  return (
    <section className="card">
      <h2>{t("profile.alerts.title")}</h2>
      <p className="soft">{t("profile.alerts.text")}</p>
      <div className="actions">
        <Link href={paths.notifications} className="button plain">
          <Icon name="bell" />
          {t("profile.alerts.open")}
        </Link>
      </div>
      <Field label={t("profile.alerts.language")} hint={t("profile.alerts.languageHint")}>
        <select value={chosen} onChange={(event) => change(event.target.value as Language)}>
          {LANGUAGES.map((value) => (
            <option key={value} value={value} lang={value}>
              {names[value]}
            </option>
          ))}
        </select>
      </Field>
    </section>
  );
}
