import { useAtom, useAtomValue } from "jotai";
import { useOptimistic, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { LANGUAGES, type Language } from "../../../src/shared/language";
import { QUOTA_NAMES } from "../../../src/shared/limits";
import { browserTimeZone } from "../../lib/format";
import { base, paths } from "../../paths";
import { Field } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import { Failure } from "../../ui/feedback/failure";
import { quotasAtom } from "../../ui/feedback/quota";
import { Skeleton } from "../../ui/feedback/skeleton";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { BasicsForm, PasswordForm } from "./account-forms";
import { meAtom, setAlertLanguage, setAlertTimeZone } from "./api";
import { DataSection } from "./data-section";
import { KeysSection } from "./keys-section";
import { SessionsSection } from "./sessions-section";
import { WallsSection } from "./walls-section";

/** The quotas of the viewer with their usage. Administrators are unlimited, and see no section. */
function QuotasSection() {
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

type AlertsProps = { language: Language; timeZone: string | null; onSaved: () => Promise<unknown> };

/** A link to the notification rules, and the language and time zone of the user's alerts. */
function AlertsSection({ language, timeZone, onSaved }: AlertsProps) {
  const { t } = useTranslation();
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
      <p>
        {t("profile.alerts.zone", { zone: timeZone ?? t("profile.alerts.noZone") })}{" "}
        <span className="soft small">{t("profile.alerts.zoneHint")}</span>
      </p>
      {timeZone !== here && (
        <div className="actions">
          <button type="button" className="plain" onClick={moveHere}>
            {t("profile.alerts.useZone", { zone: here })}
          </button>
        </div>
      )}
    </section>
  );
}

export default function ProfilePage() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(meAtom);
  const { data: quotas } = useAtomValue(quotasAtom);
  const sections = data && {
    basics: <BasicsForm user={data.user} onSaved={() => void refresh()} />,
    password: <PasswordForm username={data.user.username} />,
    sessions: <SessionsSection />,
    keys: <KeysSection />,
    walls: <WallsSection />,
    alerts: <AlertsSection language={data.language} timeZone={data.time_zone} onSaved={() => refresh()} />,
    ...(quotas && { quotas: <QuotasSection /> }),
    data: <DataSection />,
  };

  return (
    <div className="profile">
      <div className="page-head">
        <h1>{t("profile.title")}</h1>
      </div>
      {sections ? (
        <>
          <nav aria-label={t("profile.title")}>
            {Object.keys(sections).map((key) => (
              <a key={key} href={`${base}${paths.profile}#${key}`}>
                {t(`profile.${key as keyof typeof sections}.title`)}
              </a>
            ))}
          </nav>
          <div className="sheet">
            {Object.entries(sections).map(([key, section]) => (
              <div key={key} id={key}>
                {section}
              </div>
            ))}
          </div>
        </>
      ) : error ? (
        <Failure title={t("profile.loadFailed")} error={error} onRetry={() => void refresh()} />
      ) : (
        <Skeleton className="sheet" heights={["18rem", "22rem", "14rem", "12rem"]} />
      )}
    </div>
  );
}
