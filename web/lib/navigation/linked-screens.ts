import type { ParseKeys } from "i18next";
import type { PageIconName } from "../../ui/controls/page-icon";

/** `guest`: for people who are not signed in; others are redirected to the dashboard. */
export type Access = "public" | "guest" | "user" | "admin";

export type LinkedScreen = {
  path: string;
  access: Access;
  /**
   * Its entry in the navigation bar, or in the user menu: always, or where the bar has no room for it. On phones the
   * navigation bar shows the icon.
   */
  link?: { label: ParseKeys; icon: PageIconName; inUserMenu?: "always" | "without room" };
};

/**
 * The screens that the bar above every page links to; those with `link` are entries of the bar or of the user menu, in this
 * order. The status page loads no other screens.
 */
export const linkedScreens = {
  home: { path: "/", access: "public" },
  login: { path: "/login", access: "guest" },
  dashboard: { path: "/dashboard", access: "user", link: { label: "common.nav.dashboard", icon: "gauge" } },
  monitors: { path: "/monitors", access: "user", link: { label: "common.nav.monitors", icon: "pulse" } },
  agents: { path: "/agents", access: "user", link: { label: "common.nav.agents", icon: "server" } },
  outages: { path: "/outages", access: "user", link: { label: "common.nav.outages", icon: "alert" } },
  reports: {
    path: "/reports",
    access: "user",
    link: { label: "common.nav.reports", icon: "chart", inUserMenu: "without room" },
  },
  statusConfig: { path: "/status/config", access: "user", link: { label: "common.nav.statusConfig", icon: "page" } },
  notifications: { path: "/notifications", access: "user", link: { label: "common.nav.notifications", icon: "bell" } },
  profile: {
    path: "/profile",
    access: "user",
    link: { label: "common.user.profile", icon: "user", inUserMenu: "always" },
  },
  users: { path: "/users", access: "admin", link: { label: "common.user.users", icon: "users", inUserMenu: "always" } },
  security: {
    path: "/security",
    access: "admin",
    link: { label: "common.user.security", icon: "lock", inUserMenu: "always" },
  },
  system: {
    path: "/system",
    access: "admin",
    link: { label: "common.user.system", icon: "gauge", inUserMenu: "always" },
  },
} as const satisfies Record<string, LinkedScreen>;

/** Room for all links in the navigation bar. */
export const ALL_LINKS = "(min-width: 64rem)";

/** The links to screens that a signed-in user sees in the navigation bar or in the user menu. */
export const screenLinks = (place: "navbar" | "user menu", isAdmin: boolean, hasRoom: boolean) =>
  Object.values<LinkedScreen>(linkedScreens).flatMap(({ path, access, link }) => {
    if (!link || (access === "admin" && !isAdmin)) return [];
    const isInMenu = link.inUserMenu === "always" || (link.inUserMenu === "without room" && !hasRoom);
    return isInMenu === (place === "user menu") ? [{ path, access, ...link }] : [];
  });

/** A link is active on its own page and on everything below it. */
export const isActive = (path: string, link: string) => path === link || path.startsWith(`${link}/`);
