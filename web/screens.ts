import type { ParseKeys } from "i18next";
import { type Access, type LinkedScreen, linkedScreens } from "./lib/navigation/linked-screens";

export type Screen = {
  /** `:id` is the id of the screen's item, or the name of its section. */
  path: string;
  access: Access;
  /** In the browser's tab, unless the page sets a title of its own. */
  title?: ParseKeys;
  link?: LinkedScreen["link"];
  /** Uses the whole width of the window: lists and what is beside them. Others are a column, for visitors in the middle. */
  wide?: true;
};

/**
 * The screens of the console, in the order in which paths are matched and links are shown. A new screen is an entry here and
 * its page in app.tsx, which the compiler requires.
 */
export const screens = {
  home: linkedScreens.home,
  login: { ...linkedScreens.login, title: "account.login.title" },
  register: { path: "/register", access: "guest", title: "account.register.title" },
  forgot: { path: "/forgot", access: "guest" },
  reset: { path: "/reset", access: "public" },
  oidc: { path: "/login/oidc", access: "public" },
  verify: { path: "/verify", access: "public" },
  acknowledge: { path: "/acknowledge/:id", access: "public" },
  invitation: { path: "/invitation", access: "public" },
  wall: { path: "/wall", access: "public" },
  dashboard: { ...linkedScreens.dashboard, title: "dashboard.title", wide: true },
  monitors: { ...linkedScreens.monitors, title: "monitors.title", wide: true },
  monitorCreate: { path: "/monitors/create", access: "user", title: "monitors.form.createTitle" },
  monitorEdit: { path: "/monitors/edit/:id", access: "user", title: "monitors.form.editTitle" },
  monitor: { path: "/monitors/:id", access: "user", title: "monitors.title", wide: true },
  agents: { ...linkedScreens.agents, title: "agents.title", wide: true },
  agentCreate: { path: "/agents/create", access: "user", title: "agents.guide.title" },
  agentEdit: { path: "/agents/edit/:id", access: "user", title: "agents.edit.title" },
  agent: { path: "/agents/:id", access: "user", title: "agents.title", wide: true },
  outages: { ...linkedScreens.outages, title: "outages.list.title", wide: true },
  outage: { path: "/outages/:id", access: "user", title: "outages.title", wide: true },
  reports: { ...linkedScreens.reports, title: "reports.title", wide: true },
  /** `:id` is the token of a link. */
  sharedReport: { path: "/reports/shared/:id", access: "public", wide: true },
  import: { path: "/import", access: "user", title: "profile.data.otherTitle" },
  statusConfig: { ...linkedScreens.statusConfig, title: "status.title", wide: true },
  statusPages: { path: "/status/config/pages", access: "user", title: "status.area.pages", wide: true },
  statusPageEdit: { path: "/status/config/pages/:id", access: "user", title: "status.area.pages", wide: true },
  statusPageAccess: { path: "/status/config/access/:id", access: "user", title: "status.area.pages", wide: true },
  incidents: { path: "/status/config/incidents", access: "user", title: "status.area.incidents", wide: true },
  maintenance: { path: "/status/config/maintenance", access: "user", title: "status.area.maintenance", wide: true },
  subscribers: { path: "/status/config/subscribers", access: "user", title: "status.area.subscribers", wide: true },
  notifications: { ...linkedScreens.notifications, title: "notifications.title", wide: true },
  users: { ...linkedScreens.users, title: "users.title", wide: true },
  userCreate: { path: "/users/create", access: "admin", title: "users.form.createTitle" },
  user: { path: "/users/:id", access: "admin", title: "users.title" },
  security: { ...linkedScreens.security, title: "security.title", wide: true },
  system: { ...linkedScreens.system, title: "system.title", wide: true },
  profile: { ...linkedScreens.profile, title: "profile.title" },
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
