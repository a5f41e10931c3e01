import { useAtom, useAtomValue } from "jotai";
import { useOptimistic, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { LANGUAGES, type Language } from "../../../src/shared/language";
import { QUOTA_NAMES } from "../../../src/shared/limits";
import { paths } from "../../paths";
import { Field } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import { Failure } from "../../ui/feedback/failure";
import { quotasAtom } from "../../ui/feedback/quota";
import { Skeleton } from "../../ui/feedback/skeleton";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { BasicsForm, PasswordForm } from "./account-forms";
import { meAtom, setAlertLanguage } from "./api";
import { DataSection } from "./data-section";
import { KeysSection } from "./keys-section";
import { SessionsSection } from "./sessions-section";

/** The quotas of the viewer with their usage. Administrators have none, so they see no section. */
export function QuotasSection() {
  const { t } = useTranslation();
  const { data } = useAtomValue(quotasAtom);
  if (!data) return null;
  return (
    <section className="card">
      <h2>{t("profile.quotas.title")}</h2>
      <p className="soft">{t("profile.quotas.text")}</p>
      <dl className="facts">
        {QUOTA_NAMES.map((name) => (
          <div key={name}>
            <dt>{t(`profile.quotas.name.${name}`)}</dt>
            <dd>{t("common.quota.count", data[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

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

export default function ProfilePage() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(meAtom);

  return (
    <div className="narrow">
      <div className="page-head">
        <h1>{t("profile.title")}</h1>
      </div>
      {data ? (
        <div className="sheet">
          <BasicsForm user={data.user} onSaved={() => void refresh()} />
          <PasswordForm username={data.user.username} />
          <SessionsSection />
          <KeysSection />
          <AlertsSection language={data.language} onSaved={() => refresh()} />
          <QuotasSection />
          <DataSection />
        </div>
      ) : error ? (
        <Failure title={t("profile.loadFailed")} error={error} onRetry={() => void refresh()} />
      ) : (
        <Skeleton className="sheet" heights={["18rem", "22rem", "14rem", "12rem"]} />
      )}
    </div>
  );
}
