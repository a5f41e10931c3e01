import { useAtomValue } from "jotai";
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import LoginPage from "./features/auth/login-page";
import RegisterPage from "./features/auth/register-page";
import { dashboardAtom } from "./features/dashboard/dashboard-state";
import HomePage from "./features/home/home-page";
import NotFoundPage from "./features/not-found/not-found-page";
import { base, paths } from "./paths";
import { sessionAtom } from "./session";
import { CrashPage } from "./ui/feedback/crash-page";
import { ErrorBoundary } from "./ui/feedback/error-boundary";
import { Skeleton } from "./ui/feedback/skeleton";
import { Toasts } from "./ui/feedback/toast";
import { Footer } from "./ui/layout/footer";
import { FollowLists } from "./ui/layout/last-list";
import { Navbar } from "./ui/layout/navbar";
import { DocumentTitle } from "./ui/layout/page-title";
import { SkipLink } from "./ui/layout/skip-link";

/** `guest`: for people who are not signed in; others are led to the dashboard. */
type Access = "public" | "guest" | "user" | "admin";
type Page = ComponentType<{ id: string }>;
type Screen = readonly [path: string, access: Access, page: Page];
const later = (load: () => Promise<{ default: Page }>): Page => lazy(load);

/** A new screen is one line here. What a visitor may see first comes with the page itself, the rest when it is asked for. */
const screens: readonly Screen[] = [
  [paths.home, "public", HomePage],
  [paths.login, "guest", LoginPage],
  [paths.register, "guest", RegisterPage],
  [paths.dashboard, "user", later(() => import("./features/dashboard/dashboard-page"))],
  [paths.monitors, "user", later(() => import("./features/monitors/list/list-page"))],
  [paths.monitorCreate, "user", later(() => import("./features/monitors/form/create-page"))],
  [paths.monitorEdit(":id"), "user", later(() => import("./features/monitors/form/edit-page"))],
  [paths.monitor(":id"), "user", later(() => import("./features/monitors/detail/detail-page"))],
  [paths.agents, "user", later(() => import("./features/agents/list/list-page"))],
  [paths.agentCreate, "user", later(() => import("./features/agents/guide/create-page"))],
  [paths.agentEdit(":id"), "user", later(() => import("./features/agents/detail/edit-page"))],
  [paths.agent(":id"), "user", later(() => import("./features/agents/detail/detail-page"))],
  [paths.statusConfig, "user", later(() => import("./features/status-config/config-page"))],
  [paths.notifications, "user", later(() => import("./features/notifications/notifications-page"))],
  [paths.users, "admin", later(() => import("./features/users/list-page"))],
  [paths.userCreate, "admin", later(() => import("./features/users/create-page"))],
  [paths.user(":id"), "admin", later(() => import("./features/users/edit-page"))],
  [paths.security, "admin", later(() => import("./features/security/security-page"))],
  [paths.profile, "user", later(() => import("./features/profile/profile-page"))],
  ["*", "public", NotFoundPage],
];

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

/** The tab's title counts what is down on every screen, so the figures are fetched on every screen. */
function DownCount() {
  useAtomValue(dashboardAtom);
  return null;
}

function Screens() {
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const before = useRef(location);

  // A new page starts at its top, and keyboard and screen reader start there too.
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
      <main className="page" id="main" tabIndex={-1} ref={main}>
        <ErrorBoundary key={location} fallback={(error) => <CrashPage error={error} />}>
          <Suspense fallback={<Waiting />}>
            <Switch>
              {screens.map(([path, access, Page]) => (
                <Route key={path} path={path}>
                  {({ id }: { id?: string }) => (
                    <Guard access={access}>
                      <Page key={id} id={id ?? ""} />
                    </Guard>
                  )}
                </Route>
              ))}
            </Switch>
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
