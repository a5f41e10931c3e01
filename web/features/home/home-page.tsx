import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { bootstrap } from "../../bootstrap";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { PulseBar } from "../../ui/charts/pulse-bar";
import { Icon } from "../../ui/controls/icon";
import { StatusBadge } from "../../ui/feedback/badge";
import { useFormat } from "../../ui/hooks/use-format";
import { useRegistration } from "../../ui/hooks/use-registration";

/** Example checks around a response time, with failures at these places. */
const beats = (time: number, downAt: readonly number[]) =>
  Array.from({ length: 32 }, (_, place) => ({
    status: downAt.includes(place) ? "down" : "up",
    response_time: time * (1 + ((place * 7) % 11) / 12),
  }));

const samples = [
  { name: "site", status: "up", response: 84, history: beats(84, []) },
  { name: "api", status: "up", response: 212, history: beats(212, [13, 14]) },
  { name: "search", status: "down", response: null, history: beats(150, [30, 31]) },
] as const;

/** An example of monitors, built from the product's components. */
function HeroPanel() {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="hero-panel" aria-hidden="true">
      {samples.map(({ name, status, response, history }) => (
        <div key={name} className="hero-row">
          <div>
            <strong>{t(`home.sample.${name}`)}</strong>
            <span className="figure">{format.milliseconds(response)}</span>
            <StatusBadge status={status} />
          </div>
          <PulseBar history={history} count={32} />
        </div>
      ))}
    </div>
  );
}

const features = [
  ["monitoring", "pulse"],
  ["dashboard", "gauge"],
  ["alerts", "bell"],
  ["status", "page"],
] as const;

/** Leads to the login page, or, before the first account is registered, to its registration. */
function Start() {
  const { t } = useTranslation();
  return (
    <Link href={useRegistration().first ? paths.register : paths.login} className="button large">
      {t("home.start")}
    </Link>
  );
}

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
            {signedIn ? (
              <Link href={paths.dashboard} className="button large">
                {t("common.action.toDashboard")}
              </Link>
            ) : (
              <Start />
            )}
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
