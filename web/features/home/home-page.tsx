import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { bootstrap } from "../../bootstrap";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { PulseBar } from "../../ui/charts/pulse-bar";
import { ResourceCell } from "../../ui/charts/resource-bar";
import { Icon } from "../../ui/controls/icon";
import { StatusMark } from "../../ui/feedback/badge";
import { useFormat } from "../../ui/hooks/use-format";
import { useRegistration } from "../../ui/hooks/use-registration";

/** Example checks around a response time, with failures at these places. */
const beats = (time: number, downAt: readonly number[]) =>
  Array.from({ length: 32 }, (_, place) => ({
    status: downAt.includes(place) ? "down" : "up",
    response_time: time * (1 + ((place * 7) % 11) / 12),
  }));

const samples = [
  { name: "site", response: 84, uptime: 99.98, history: beats(84, []) },
  { name: "api", response: 212, uptime: 99.95, history: beats(212, [13, 14]) },
  { name: "mail", response: 37, uptime: 100, history: beats(37, []) },
] as const;

const usage = { cpu: 22, memory: 58, disk: 43 } as const;

/** An example of the dashboard and of an alert, built from the product's components. */
function HeroPanel() {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="hero-panel" aria-hidden="true">
      <div className="hero-head">
        <strong>{t("home.sample.verdict")}</strong>
        <span className="live-mark soft small">
          <i />
          {t("home.sample.live")}
        </span>
      </div>
      <div className="hero-row hero-problem">
        <StatusMark status="down" label="" />
        <strong>{t("home.sample.search")}</strong>
        <span className="reason">{t("home.sample.reason")}</span>
        <span className="lasting">{t("home.sample.lasting")}</span>
      </div>
      {samples.map(({ name, response, uptime, history }) => (
        <div key={name} className="hero-row">
          <StatusMark status="up" label="" />
          <strong>{t(`home.sample.${name}`)}</strong>
          <PulseBar history={history} count={32} />
          <span className="figure">{format.milliseconds(response)}</span>
          <span className="figure">{format.percent(uptime)}</span>
        </div>
      ))}
      <div className="hero-row hero-server">
        <StatusMark status="up" label="" />
        <strong>web-1</strong>
        <div className="hero-usage">
          {(["cpu", "memory", "disk"] as const).map((name) => (
            <div key={name}>
              <small>{t(`home.sample.${name}`)}</small>
              <ResourceCell label={t(`home.sample.${name}`)} percent={usage[name]} text={format.share(usage[name])} />
            </div>
          ))}
        </div>
      </div>
      <div className="hero-alert">
        <Icon name="bell" />
        <div>
          <strong>{t("home.sample.alert")}</strong>
          <p>{t("home.sample.alertText")}</p>
        </div>
      </div>
    </div>
  );
}

const facts = ["data", "channels", "file"] as const;

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
          <ul className="hero-facts">
            {facts.map((name) => (
              <li key={name}>
                <Icon name="check" />
                {t(`home.facts.${name}`)}
              </li>
            ))}
          </ul>
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
