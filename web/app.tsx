import { useAtomValue } from "jotai";
import { memo, type ReactNode, Suspense, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Redirect, Router, useLocation, useSearch } from "wouter";
import { useBrowserLocation } from "wouter/use-browser-location";
import LoginPage from "./features/auth/login-page";
import RegisterPage from "./features/auth/register-page";
import HomePage from "./features/home/home-page";
import { NotFoundPage } from "./features/home/not-found-page";
import { withIncidentTexts } from "./features/incidents/load";
import { PaletteButton, PaletteHost } from "./features/palette/palette-host";
import { dashboardAtom } from "./features/problems/api";
import { TeamChoice } from "./features/teams/choice";
import { withTeamTexts } from "./features/teams/load";
import { BESIDE, useMedia } from "./lib/hooks/use-media";
import { base } from "./lib/navigation/base-path";
import type { Access } from "./lib/navigation/linked-screens";
import { preload } from "./lib/offline/code";
import { type LoadPage, type Page, screen, visitorScreen, withTexts } from "./load-screen";
import { afterLogin, loginPath, paths } from "./paths";
import { type Screen, type ScreenName, screenAt } from "./screens";
import { sessionAtom } from "./session";
import { ConnectionLine } from "./ui/feedback/connection-line";
import { CrashPage, ErrorBoundary } from "./ui/feedback/error-boundary";
import { Skeleton } from "./ui/feedback/skeleton";
import { Toasts } from "./ui/feedback/toast";
import { Footer } from "./ui/layout/footer";
import { FollowLists } from "./ui/layout/last-list";
import { TabIcon } from "./ui/layout/mark";
import { Navbar } from "./ui/layout/navbar";
import { DocumentTitle, useScreenTitle } from "./ui/layout/page-title";
import { ShownScreen } from "./ui/layout/shown-screen";
import { SkipLink } from "./ui/layout/skip-link";
import { useEscapeTo } from "./ui/lists/use-row-keys";

const pagesScreen = (load: LoadPage) =>
  screen(withTexts("pages", load, () => import("./features/status-config/pages/texts")));

const profileScreen = screen(
  withTexts(
    "keyScopes",
    () => import("./features/profile/profile-page"),
    () => import("./features/profile/texts"),
  ),
);

/** The page of each screen. The first pages of a visitor are in the main bundle, the others are loaded when opened. */
export const pages: Record<ScreenName, Page> = {
  home: HomePage,
  login: LoginPage,
  register: RegisterPage,
  forgot: visitorScreen(() => import("./features/auth/forgot-page")),
  reset: visitorScreen(() => import("./features/auth/reset-page")),
  oidc: visitorScreen(() => import("./features/auth/oidc-page")),
  verify: visitorScreen(() => import("./features/auth/verify-page")),
  acknowledge: visitorScreen(() => import("./features/problems/acknowledge-page")),
  invitation: screen(() => withTeamTexts(() => import("./features/auth/invitation-page"))),
  wall: screen(() => import("./features/dashboard/wall/wall-page")),
  dashboard: screen(() => import("./features/dashboard/dashboard-page")),
  monitors: screen(() => import("./features/monitors/list/list-page")),
  monitorCreate: screen(() => import("./features/monitors/form/create-page")),
  monitorEdit: screen(() => import("./features/monitors/form/edit-page")),
  monitor: screen(() => import("./features/monitors/detail/detail-page")),
  agents: screen(() => import("./features/servers/list/list-page")),
  agentCreate: screen(
    withTexts(
      "enrollment",
      () => import("./features/servers/guide/create-page"),
      () => import("./features/servers/guide/texts"),
    ),
  ),
  agentEdit: screen(() => import("./features/servers/detail/edit-page")),
  agent: screen(() => import("./features/servers/detail/detail-page")),
  outages: screen(() => import("./features/outages/list/list-page")),
  outage: screen(() => import("./features/outages/outage-page")),
  import: screen(
    withTexts(
      "imports",
      () => import("./features/import/import-page"),
      () => import("./features/import/texts"),
    ),
  ),
  reports: screen(() => import("./features/reports/report-page")),
  sharedReport: screen(() => import("./features/reports/shared-page")),
  statusConfig: screen(() => import("./features/status-config/config-page")),
  statusPages: pagesScreen(() => import("./features/status-config/pages/pages-page")),
  statusPageEdit: pagesScreen(() => import("./features/status-config/pages/editor-page")),
  statusPageAccess: pagesScreen(() => import("./features/status-config/pages/access-page")),
  incidents: screen(() => withIncidentTexts(() => import("./features/incidents/list-page"))),
  maintenance: screen(
    withTexts(
      "maintenance",
      () => import("./features/maintenance/maintenance-page"),
      () => import("./features/maintenance/texts"),
    ),
  ),
  subscribers: screen(
    withTexts(
      "subscribers",
      () => import("./features/subscribers/subscribers-page"),
      () => import("./features/subscribers/texts"),
    ),
  ),
  notifications: screen(() => import("./features/notifications/notifications-page")),
  users: screen(() => import("./features/users/list-page")),
  userCreate: screen(() => import("./features/users/create-page")),
  user: screen(() => import("./features/users/edit-page")),
  security: screen(() => import("./features/security/security-page")),
  system: screen(() => import("./features/system/system-page")),
  profile: profileScreen,
  profileSection: profileScreen,
  team: screen(() => withTeamTexts(() => import("./features/teams/team-page"))),
};

/** Loads the code of the screen at a path before it is opened. */
export const preloadScreen = async (path: string): Promise<void> => {
  const target = screenAt(path);
  if (target) await preload(pages[target.name]);
};

/**
 * Loads the code of the screen at a path and the data it begins with, so that it is rendered at once and as a whole. Resolves
 * also when something fails: the screen then says so.
 */
export const prepareScreen = async (path: string): Promise<void> => {
  const target = screenAt(path);
  if (!target) return;
  const prepare = async (part: object | undefined) => part && (await preload(part))?.prepare?.(target.id);
  await Promise.allSettled([
    target.name === "dashboard" ? undefined : dashboardAtom.prepare(),
    prepare(pages[target.name]),
    prepare(matchMedia(BESIDE).matches ? rails[target.name]?.Rail : undefined),
  ]);
};

function Guard({ access, wide, children }: { access: Access; wide: true | undefined; children: ReactNode }) {
  const { status, user } = useAtomValue(sessionAtom);
  const [path] = useLocation();
  const search = useSearch();
  const [actual] = useBrowserLocation();
  const isAllowed =
    access === "public" || (access === "guest" ? status !== "authenticated" : status === "authenticated");
  // The last screen is left already, and must not lead anywhere else.
  if (!isAllowed && actual !== base + path) return null;
  if (access === "guest" && status === "authenticated") return <Redirect to={afterLogin(search)} replace />;
  if (access === "public" || access === "guest") return children;
  if (status === "loading") return <Waiting wide={wide} />;
  if (status === "unauthenticated") return <Redirect to={loginPath(path + (search && `?${search}`))} replace />;
  if (access === "admin" && user?.role !== "admin") return <Redirect to={paths.dashboard} replace />;
  return children;
}

/** The shape of the screen that is being loaded, where no other screen is shown yet. */
function Waiting({ wide }: Pick<Screen, "wide">) {
  return wide ? <Skeleton heights={["2.25rem", "29rem"]} /> : <Skeleton heights={["2.25rem", "9rem", "9rem"]} />;
}

const ScreenPage = memo(({ access, title, page: Page, id, wide }: Screen & { page: Page; id: string }) => {
  const { t } = useTranslation();
  useScreenTitle(title ? t(title) : "");
  return (
    <Guard access={access} wide={wide}>
      <Page key={id} id={id} />
    </Guard>
  );
});

/** Polls the dashboard on every screen, because the tab's title shows how many monitors and servers are down. */
function DownCount() {
  useAtomValue(dashboardAtom);
  return null;
}

/** The list beside the page of one of its items, on wide screens, and its path as a page. */
const rails: Partial<Record<ScreenName, { list: string; Rail: Page }>> = {
  monitor: { list: paths.monitors, Rail: screen(() => import("./features/monitors/list/monitor-rail")) },
  agent: { list: paths.agents, Rail: screen(() => import("./features/servers/list/server-rail")) },
};

/** Escape opens the list beside a page, also while that list is being loaded. */
function EscapeTo({ list }: { list: string }) {
  useEscapeTo(list);
  return null;
}

type BesideProps = { screen: ScreenName | undefined; id: string; children: ReactNode };

/** A page, with its list beside it where there is one. The list stays while other items are opened. */
function Beside({ screen, id, children }: BesideProps) {
  const isWide = useMedia(BESIDE);
  const signedIn = useAtomValue(sessionAtom).status === "authenticated";
  const beside = isWide && signedIn && screen ? rails[screen] : undefined;
  return (
    <div className={beside && "beside"}>
      {beside && <EscapeTo list={beside.list} />}
      {beside && (
        <ErrorBoundary key="list" fallback={() => null}>
          <Suspense fallback={<div className="rail" />}>
            <beside.Rail id={id} />
          </Suspense>
        </ErrorBoundary>
      )}
      <div key="page" className="beside-page">
        {children}
      </div>
    </div>
  );
}

/** The width of a screen, and whether it begins at the left edge, as the navigation bar does, or is in the middle. */
const layoutOf = ({ access, wide }: Screen): string => {
  if (wide) return "page wide";
  return access === "user" || access === "admin" ? "page column" : "page";
};

function Screens({ path, isLast }: { path: string; isLast: boolean }) {
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  const currentScreen = screenAt(path);

  // A new page starts at its top, also for keyboard and screen reader, unless a form has taken the focus.
  useLayoutEffect(() => {
    if (before.current === path) return;
    before.current = path;
    scrollTo(0, 0);
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <>
      <SkipLink main={main} />
      <Navbar search={[<TeamChoice key="team" />, <PaletteButton key="search" />]} />
      {isLast && <div className="loading-line" />}
      <main
        className={currentScreen ? layoutOf(currentScreen.screen) : "page"}
        id="main"
        tabIndex={-1}
        ref={main}
        aria-busy={isLast || undefined}
      >
        <ConnectionLine />
        {/* Outside the boundary that changes with the path, so that the last screen stays while the next is loaded. */}
        <Beside screen={currentScreen?.name} id={currentScreen?.id ?? ""}>
          <Suspense fallback={<Waiting wide={currentScreen?.screen.wide} />}>
            <ErrorBoundary key={path} fallback={(error) => <CrashPage error={error} />}>
              {currentScreen ? (
                <ScreenPage {...currentScreen.screen} page={pages[currentScreen.name]} id={currentScreen.id} />
              ) : (
                <NotFoundPage />
              )}
            </ErrorBoundary>
          </Suspense>
        </Beside>
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
        <TabIcon />
        <FollowLists />
        {signedIn && <DownCount />}
        {signedIn && <PaletteHost />}
        <ShownScreen>{(path, isLast) => <Screens path={path} isLast={isLast} />}</ShownScreen>
      </Router>
    </ErrorBoundary>
  );
}
