import type { ParseKeys } from "i18next";
import type { IconName } from "./ui/controls/icon";

/** `guest`: for people who are not signed in; others are redirected to the dashboard. */
export type Access = "public" | "guest" | "user" | "admin";

export type Screen = {
  /** `:id` is the id of what the screen shows. */
  path: string;
  access: Access;
  /** In the browser's tab, unless the page sets a title of its own. */
  title?: ParseKeys;
  /** Its entry in the navigation bar, or, with an icon, in the user menu. */
  link?: { label: ParseKeys; icon?: IconName };
};

/**
 * The screens of the console, in the order in which their paths are matched and their links are shown. A new screen is an
 * entry here and its page in app.tsx, where the compiler misses it.
 */
export const screens = {
  home: { path: "/", access: "public" },
  login: { path: "/login", access: "guest", title: "account.login.title" },
  register: { path: "/register", access: "guest", title: "account.register.title" },
  dashboard: {
    path: "/dashboard",
    access: "user",
    title: "dashboard.title",
    link: { label: "common.nav.dashboard" },
  },
  monitors: { path: "/monitors", access: "user", title: "monitors.title", link: { label: "common.nav.monitors" } },
  monitorCreate: { path: "/monitors/create", access: "user", title: "monitors.form.createTitle" },
  monitorEdit: { path: "/monitors/edit/:id", access: "user", title: "monitors.form.editTitle" },
  monitor: { path: "/monitors/:id", access: "user", title: "monitors.title" },
  agents: { path: "/agents", access: "user", title: "agents.title", link: { label: "common.nav.agents" } },
  agentCreate: { path: "/agents/create", access: "user", title: "agents.guide.title" },
  agentEdit: { path: "/agents/edit/:id", access: "user", title: "agents.edit.title" },
  agent: { path: "/agents/:id", access: "user", title: "agents.title" },
  statusConfig: {
    path: "/status/config",
    access: "user",
    title: "status.title",
    link: { label: "common.nav.statusConfig" },
  },
  notifications: {
    path: "/notifications",
    access: "user",
    title: "notifications.title",
    link: { label: "common.nav.notifications" },
  },
  users: {
    path: "/users",
    access: "admin",
    title: "users.title",
    link: { label: "common.user.users", icon: "users" },
  },
  userCreate: { path: "/users/create", access: "admin", title: "users.form.createTitle" },
  user: { path: "/users/:id", access: "admin", title: "users.title" },
  security: {
    path: "/security",
    access: "admin",
    title: "security.title",
    link: { label: "common.user.security", icon: "lock" },
  },
  profile: {
    path: "/profile",
    access: "user",
    title: "profile.title",
    link: { label: "common.user.profile", icon: "user" },
  },
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof screens;

/** The links to screens that a signed-in user sees in the navigation bar or in the user menu. */
export const screenLinks = (place: "navbar" | "user menu", isAdmin: boolean) =>
  Object.values<Screen>(screens).flatMap(({ path, access, link }) =>
    link && (link.icon !== undefined) === (place === "user menu") && (access !== "admin" || isAdmin)
      ? [{ path, ...link }]
      : [],
  );
