import { useAtomValue } from "jotai";
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect, Router, useLocation } from "wouter";
import mark from "./assets/mark.svg";
import LoginPage from "./features/auth/login-page";
import RegisterPage from "./features/auth/register-page";
import { dashboardAtom } from "./features/dashboard/api";
import HomePage from "./features/home/home-page";
import { base, paths } from "./paths";
import { type Access, type Screen, type ScreenName, screenAt } from "./screens";
import { sessionAtom } from "./session";
import { CrashPage, ErrorBoundary } from "./ui/feedback/error-boundary";
import { Skeleton } from "./ui/feedback/skeleton";
import { Toasts } from "./ui/feedback/toast";
import { Footer } from "./ui/layout/footer";
import { FollowLists } from "./ui/layout/last-list";
import { Navbar } from "./ui/layout/navbar";
import { DocumentTitle, usePageTitle, useScreenTitle } from "./ui/layout/page-title";
import { SkipLink } from "./ui/layout/skip-link";

export default function NotFoundPage() {
  const { t } = useTranslation();
  usePageTitle(t("common.notFound.title"));
  return (
    <div className="centred">
      <img src={mark} alt="" width="56" height="56" />
      <h1>{t("common.notFound.title")}</h1>
      <p>{t("common.notFound.text")}</p>
      <Link href={paths.home} className="button">
        {t("common.action.backHome")}
      </Link>
    </div>
  );
}

type Page = ComponentType<{ id: string }>;
const later = (load: () => Promise<{ default: Page }>): Page => lazy(load);

/** The page of each screen. The first pages of a visitor are in the main bundle, the others are loaded when opened. */
export const pages: Record<ScreenName, Page> = {
  home: HomePage,
  login: LoginPage,
  register: RegisterPage,
  dashboard: later(() => import("./features/dashboard/dashboard-page")),
  monitors: later(() => import("./features/monitors/list/list-page")),
  monitorCreate: later(() => import("./features/monitors/form/create-page")),
  monitorEdit: later(() => import("./features/monitors/form/edit-page")),
  monitor: later(() => import("./features/monitors/detail/detail-page")),
  agents: later(() => import("./features/agents/list/list-page")),
  agentCreate: later(() => import("./features/agents/guide/create-page")),
  agentEdit: later(() => import("./features/agents/detail/edit-page")),
  agent: later(() => import("./features/agents/detail/detail-page")),
  statusConfig: later(() => import("./features/status-config/config-page")),
  notifications: later(() => import("./features/notifications/notifications-page")),
  users: later(() => import("./features/users/list-page")),
  userCreate: later(() => import("./features/users/create-page")),
  user: later(() => import("./features/users/edit-page")),
  security: later(() => import("./features/security/security-page")),
  profile: later(() => import("./features/profile/profile-page")),
};

function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const { status, user } = useAtomValue(sessionAtom);
  if (access === "guest" && status === "authenticated") return <Redirect to={paths.dashboard} replace />;
  if (access === "public" || access === "guest") return children;
  if (status === "loading") return <Waiting />;
  if (status === "unauthenticated") return <Redirect to={paths.login} replace />;
  if (access === "admin" && user?.role !== "admin") return <Redirect to={paths.dashboard} replace />;
  return children;
}

const Waiting = () => <Skeleton heights={["2.25rem", "9rem", "9rem"]} />;

function ScreenPage({ access, title, page: Page, id }: Screen & { page: Page; id: string }) {
  const { t } = useTranslation();
  useScreenTitle(title ? t(title) : "");
  return (
    <Guard access={access}>
      <Page key={id} id={id} />
    </Guard>
  );
}

/** Polls the dashboard on every screen, because the tab's title shows how many monitors and servers are down. */
function DownCount() {
  useAtomValue(dashboardAtom);
  return null;
}

function Screens() {
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const before = useRef(location);
  const shown = screenAt(location);

  // A new page starts at its top, also for keyboard and screen reader.
  useEffect(() => {
    if (before.current === location) return;
    before.current = location;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [location]);

  return (
    <>
      <SkipLink main={main} />
      <Navbar />
      <main className={shown?.screen.wide ? "page wide" : "page"} id="main" tabIndex={-1} ref={main}>
        <ErrorBoundary key={location} fallback={(error) => <CrashPage error={error} />}>
          <Suspense fallback={<Waiting />}>
            {shown ? <ScreenPage {...shown.screen} page={pages[shown.name]} id={shown.id} /> : <NotFoundPage />}
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <Toasts />
    </>
  );
}

export function App() {
  const signedIn = useAtomValue(sessionAtom).status === "authenticated";
  return (
    <ErrorBoundary fallback={(error) => <CrashPage error={error} />}>
      <Router base={base}>
        <DocumentTitle />
        <FollowLists />
        {signedIn && <DownCount />}
        <Screens />
      </Router>
    </ErrorBoundary>
  );
}
