import type { ParseKeys } from "i18next";
import type { PageIconName } from "./ui/controls/page-icon";

/** `guest`: for people who are not signed in; others are redirected to the dashboard. */
export type Access = "public" | "guest" | "user" | "admin";

export type Screen = {
  /** `:id` is the id of the screen's item, or the name of its section. */
  path: string;
  access: Access;
  /** In the browser's tab, unless the page sets a title of its own. */
  title?: ParseKeys;
  /**
   * Its entry in the navigation bar, or in the user menu: always, or where the bar has no room for it. On phones the
   * navigation bar shows the icon.
   */
  link?: { label: ParseKeys; icon: PageIconName; inUserMenu?: "always" | "without room" };
  /** Uses the whole width of the window: lists and what is beside them. Others are a column, for visitors in the middle. */
  wide?: true;
};

/**
 * The screens of the console, in the order in which paths are matched and links are shown. A new screen is an entry here and
 * its page in app.tsx, which the compiler requires.
 */
export const screens = {
  home: { path: "/", access: "public" },
  login: { path: "/login", access: "guest", title: "account.login.title" },
  register: { path: "/register", access: "guest", title: "account.register.title" },
  forgot: { path: "/forgot", access: "guest" },
  reset: { path: "/reset", access: "public" },
  oidc: { path: "/login/oidc", access: "public" },
  verify: { path: "/verify", access: "public" },
  acknowledge: { path: "/acknowledge/:id", access: "public" },
  invitation: { path: "/invitation", access: "public" },
  wall: { path: "/wall", access: "public" },
  dashboard: {
    path: "/dashboard",
    access: "user",
    title: "dashboard.title",
    wide: true,
    link: { label: "common.nav.dashboard", icon: "gauge" },
  },
  monitors: {
    path: "/monitors",
    access: "user",
    title: "monitors.title",
    wide: true,
    link: { label: "common.nav.monitors", icon: "pulse" },
  },
  monitorCreate: { path: "/monitors/create", access: "user", title: "monitors.form.createTitle" },
  monitorEdit: { path: "/monitors/edit/:id", access: "user", title: "monitors.form.editTitle" },
  monitor: { path: "/monitors/:id", access: "user", title: "monitors.title", wide: true },
  agents: {
    path: "/agents",
    access: "user",
    title: "agents.title",
    wide: true,
    link: { label: "common.nav.agents", icon: "server" },
  },
  agentCreate: { path: "/agents/create", access: "user", title: "agents.guide.title" },
  agentEdit: { path: "/agents/edit/:id", access: "user", title: "agents.edit.title" },
  agent: { path: "/agents/:id", access: "user", title: "agents.title", wide: true },
  outages: {
    path: "/outages",
    access: "user",
    title: "outages.list.title",
    wide: true,
    link: { label: "common.nav.outages", icon: "alert" },
  },
  outage: { path: "/outages/:id", access: "user", title: "outages.title", wide: true },
  reports: {
    path: "/reports",
    access: "user",
    title: "reports.title",
    wide: true,
    link: { label: "common.nav.reports", icon: "chart", inUserMenu: "without room" },
  },
  /** `:id` is the token of a link. */
  sharedReport: { path: "/reports/shared/:id", access: "public", wide: true },
  import: { path: "/import", access: "user", title: "profile.data.otherTitle" },
  statusConfig: {
    path: "/status/config",
    access: "user",
    title: "status.title",
    link: { label: "common.nav.statusConfig", icon: "page" },
    wide: true,
  },
  statusPages: { path: "/status/config/pages", access: "user", title: "status.area.pages", wide: true },
  statusPageEdit: { path: "/status/config/pages/:id", access: "user", title: "status.area.pages", wide: true },
  incidents: { path: "/status/config/incidents", access: "user", title: "status.area.incidents", wide: true },
  maintenance: { path: "/status/config/maintenance", access: "user", title: "status.area.maintenance", wide: true },
  notifications: {
    path: "/notifications",
    access: "user",
    title: "notifications.title",
    link: { label: "common.nav.notifications", icon: "bell" },
    wide: true,
  },
  users: {
    path: "/users",
    access: "admin",
    title: "users.title",
    link: { label: "common.user.users", icon: "users", inUserMenu: "always" },
    wide: true,
  },
  userCreate: { path: "/users/create", access: "admin", title: "users.form.createTitle" },
  user: { path: "/users/:id", access: "admin", title: "users.title" },
  security: {
    path: "/security",
    access: "admin",
    title: "security.title",
    link: { label: "common.user.security", icon: "lock", inUserMenu: "always" },
    wide: true,
  },
  system: {
    path: "/system",
    access: "admin",
    title: "system.title",
    link: { label: "common.user.system", icon: "gauge", inUserMenu: "always" },
    wide: true,
  },
  profile: {
    path: "/profile",
    access: "user",
    title: "profile.title",
    link: { label: "common.user.profile", icon: "user", inUserMenu: "always" },
  },
  profileSection: { path: "/profile/:id", access: "user", title: "profile.title" },
  team: { path: "/teams/:id", access: "user" },
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof screens;

/** The screen at a path, and its id; undefined for unknown paths. */
export const screenAt = (path: string): { name: ScreenName; screen: Screen; id: string } | undefined => {
  for (const [name, screen] of Object.entries<Screen>(screens)) {
    const match = new RegExp(`^${screen.path.replace(":id", "([^/]+)")}$`, "i").exec(path.replace(/(.)\/$/, "$1"));
    if (match) return { name: name as ScreenName, screen, id: match[1] ?? "" };
  }
  return undefined;
};

/** Room for all links in the navigation bar. */
export const ALL_LINKS = "(min-width: 64rem)";

/** The links to screens that a signed-in user sees in the navigation bar or in the user menu. */
export const screenLinks = (place: "navbar" | "user menu", isAdmin: boolean, hasRoom: boolean) =>
  Object.values<Screen>(screens).flatMap(({ path, access, link }) => {
    if (!link || (access === "admin" && !isAdmin)) return [];
    const isInMenu = link.inUserMenu === "always" || (link.inUserMenu === "without room" && !hasRoom);
    return isInMenu === (place === "user menu") ? [{ path, ...link }] : [];
  });
