import { useAtomValue } from "jotai";
import { useId, useOptimistic, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { LANGUAGES, type Language } from "../../../src/shared/language";
import { withoutSign } from "../../../src/shared/template/sign";
import { browserTimeZone } from "../../lib/format";
import { paths } from "../../paths";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { alertExamplesAtom, setAlertLanguage, setAlertTimeZone } from "./api";
import { SettingRow } from "./setting-row";

const names: Record<Language, string> = { "zh-CN": "中文", "en-US": "English" };

type Props = { language: Language; timeZone: string | null; onSaved: () => Promise<unknown> };

/** The language and time zone of the user's alerts with an example of one, and a link to the notification rules. */
export function AlertsSection({ language, timeZone, onSaved }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const failureText = useFailureText();
  const [chosen, setChosen] = useOptimistic(language);
  const [, start] = useTransition();

  const save = async (call: Promise<unknown>, part: "language" | "zone") => {
    try {
      await call;
      toast(t(`profile.alerts.saved.${part}`));
    } catch (error) {
      toast(failureText(t(`profile.alerts.failed.${part}`), error), { tone: "bad" });
    }
    await onSaved();
  };
  const change = (next: Language) =>
    start(async () => {
      setChosen(next);
      await save(setAlertLanguage(next), "language");
    });
  const here = browserTimeZone();
  const moveHere = () => start(() => save(setAlertTimeZone(here), "zone"));

  return (
    <section className="card setting-rows">
      <h2>{t("profile.alerts.title")}</h2>
      <SettingRow
        title={<label htmlFor={id}>{t("profile.alerts.language")}</label>}
        text={t("profile.alerts.languageHint")}
      >
        <select id={id} value={chosen} onChange={(event) => change(event.target.value as Language)}>
          {LANGUAGES.map((value) => (
            <option key={value} value={value} lang={value}>
              {names[value]}
            </option>
          ))}
        </select>
      </SettingRow>
      <SettingRow title={t("profile.alerts.zone")} text={t("profile.alerts.zoneHint")}>
        <span className="soft">{timeZone ?? t("profile.alerts.noZone")}</span>
        {timeZone !== here && (
          <button type="button" className="plain" onClick={moveHere}>
            {t("profile.alerts.useZone", { zone: here })}
          </button>
        )}
      </SettingRow>
      <SettingRow title={t("profile.alerts.rules")} text={t("profile.alerts.text")}>
        <Link href={paths.notifications} className="button plain">
          {t("profile.alerts.open")}
        </Link>
      </SettingRow>
      <Example language={chosen} />
    </section>
  );
}

/** A built-in message in the chosen language. */
function Example({ language }: { language: Language }) {
  const { t } = useTranslation();
  const example = useAtomValue(alertExamplesAtom).data?.find(({ type }) => type === language);
  if (!example) return null;
  return (
    <figure className="message-sample">
      <figcaption className="soft small">{t("profile.alerts.example")}</figcaption>
      <div lang={language}>
        <strong>{withoutSign(example.subject)}</strong>
        <p>{example.content}</p>
      </div>
    </figure>
  );
}
