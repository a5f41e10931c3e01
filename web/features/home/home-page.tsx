import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { bootstrap } from "../../bootstrap";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { Icon } from "../../ui/controls/icon";
import { HeroPanel } from "./hero-panel";

const features = [
  ["monitoring", "pulse"],
  ["dashboard", "gauge"],
  ["alerts", "bell"],
  ["status", "page"],
] as const;

export default function HomePage() {
  const { t } = useTranslation();
  const signedIn = useAtomValue(sessionAtom).status === "authenticated";
  const { repository } = bootstrap.links;

  return (
    <>
      <section className="hero">
        <div>
          <h1>{t("home.title")}</h1>
          <p className="lead">{t("home.subtitle")}</p>
          <div className="actions">
            <Link href={signedIn ? paths.dashboard : paths.login} className="button large">
              {t("home.start")}
            </Link>
            {!signedIn && repository && (
              <a href={repository} className="button plain large" target="_blank" rel="noreferrer">
                {t("home.learnMore")}
                <Icon name="external" />
              </a>
            )}
          </div>
        </div>
        <HeroPanel />
      </section>
      <ul className="features" aria-label={t("home.features")}>
        {features.map(([name, icon]) => (
          <li key={name} className="card">
            <Icon name={icon} />
            <h2>{t(`home.${name}.title`)}</h2>
            <p>{t(`home.${name}.text`)}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
