import { useAtom, useAtomValue } from "jotai";
import { Suspense, useEffect, useRef, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect } from "wouter";
import { QUOTA_NAMES } from "../../../src/shared/limits";
import { later } from "../../lib/offline/code";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { scrollToChosen } from "../../ui/controls/tabs";
import { Failure } from "../../ui/feedback/failure";
import { quotasAtom } from "../../ui/feedback/quota";
import { Skeleton } from "../../ui/feedback/skeleton";
import { usePageTitle } from "../../ui/layout/page-title";
import { withFactorTexts } from "../../ui/proof/texts";
import { Changes } from "../changes/lazy";
import { withTeamTexts } from "../teams/load";
import { BasicsForm, PasswordForm } from "./account-forms";
import { AlertsSection } from "./alerts-section";
import { type Me, meAtom } from "./api";
import { DataSection } from "./data-section";
import { KeysSection } from "./keys-section";
import { PingKeysSection } from "./ping-keys-section";
import { SessionsSection } from "./sessions-section";
import { SignInSection } from "./sign-in-section";
import { WallsSection } from "./walls-section";

const SecuritySection = later(() => withFactorTexts(() => import("./security/security-section")));
const TeamsSection = later(() => withTeamTexts(() => import("../teams/teams-section")));

/** The quotas of the viewer with their usage. Administrators are unlimited, and have no such section. */
function QuotasSection() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(quotasAtom);
  if (!data)
    return error ? (
      <Failure title={t("profile.loadFailed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["14rem"]} />
    );
  return (
    <section className="card">
      <h2>{t("profile.quotas.title")}</h2>
      <p className="soft">{t("profile.quotas.text")}</p>
      <dl className="facts">
        {QUOTA_NAMES.map((name) => (
          <div key={name}>
            <dt>{t(`profile.quotas.name.${name}`)}</dt>
            <dd>{t("profile.quotas.count", data[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The changes in the teams of the viewer; for administrators all changes. */
function ChangesSection() {
  const { t } = useTranslation();
  return (
    <section className="card">
      <h2>{t("profile.changes.title")}</h2>
      <p className="soft">{t("profile.changes.text")}</p>
      <Suspense fallback={<Skeleton heights={["14rem"]} />}>
        <Changes />
      </Suspense>
    </section>
  );
}

const SECTIONS = [
  ...(["basics", "password", "security", "sessions", "team"] as const),
  ...(["keys", "walls", "alerts", "changes", "quotas", "data"] as const),
] as const;
type Section = (typeof SECTIONS)[number];

/** The first section is the profile itself. */
const pathOf = (section: Section) => (section === SECTIONS[0] ? paths.profile : paths.profileSection(section));

const listenToHash = (changed: () => void) => {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
};

/** Old links name a section by the hash. */
const useHash = () => useSyncExternalStore(listenToHash, () => location.hash.slice(1));

/** The sections beside one another as links, and below them or at their side the section of the address. */
export default function ProfilePage({ id = "" }: { id?: string }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(meAtom);
  const { user } = useAtomValue(sessionAtom);
  const hash = useHash();
  const isHidden = { quotas: user?.role === "admin", password: data?.has_password === false };
  const sections = SECTIONS.filter((section) => !(section in isHidden && isHidden[section as keyof typeof isHidden]));
  const chosen = sections.find((section) => section === (id || hash)) ?? SECTIONS[0];
  usePageTitle(t(`profile.${chosen}.title`));

  if (pathOf(chosen) !== (id ? paths.profileSection(id) : paths.profile))
    return <Redirect to={pathOf(chosen)} replace />;

  const section = (me: Me) => {
    switch (chosen) {
      case "basics":
        return (
          <>
            <BasicsForm user={me.user} onSaved={() => void refresh()} />
            <SignInSection me={me} />
          </>
        );
      case "password":
        return <PasswordForm username={me.user.username} />;
      case "security":
        return (
          <Suspense fallback={<Skeleton heights={["12rem"]} />}>
            <SecuritySection />
          </Suspense>
        );
      case "sessions":
        return <SessionsSection />;
      case "team":
        return (
          <Suspense fallback={<Skeleton heights={["10rem", "14rem"]} />}>
            <TeamsSection />
          </Suspense>
        );
      case "keys":
        return (
          <>
            <KeysSection />
            <PingKeysSection />
          </>
        );
      case "walls":
        return <WallsSection />;
      case "alerts":
        return <AlertsSection language={me.language} timeZone={me.time_zone} onSaved={() => refresh()} />;
      case "changes":
        return <ChangesSection />;
      case "quotas":
        return <QuotasSection />;
      case "data":
        return <DataSection />;
    }
  };
  return (
    <div className="profile">
      <div className="page-head">
        <h1>{t("profile.title")}</h1>
      </div>
      <Sections sections={sections} chosen={chosen} />
      {data ? (
        <div className="sheet">{section(data)}</div>
      ) : error ? (
        <Failure title={t("profile.loadFailed")} error={error} onRetry={() => void refresh()} />
      ) : (
        <Skeleton heights={["18rem"]} />
      )}
    </div>
  );
}

/** The links to the sections. On narrow screens they scroll in one line. */
function Sections({ sections, chosen }: { sections: readonly Section[]; chosen: Section }) {
  const { t } = useTranslation();
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newly chosen section has to be scrolled into view
  useEffect(() => scrollToChosen(list.current, "[aria-current]"), [chosen]);
  return (
    <nav className="tabs" aria-label={t("profile.title")} ref={list}>
      {sections.map((section) => (
        <Link key={section} href={pathOf(section)} aria-current={section === chosen ? "page" : undefined}>
          {t(`profile.${section}.title`)}
        </Link>
      ))}
    </nav>
  );
}
