/** Every address of the page, in one place. Base: wherever the server says the page lives. */
export const base = new URL(document.baseURI).pathname.replace(/\/$/, "");

export const paths = {
  home: "/",
  login: "/login",
  register: "/register",
  status: "/status",
  dashboard: "/dashboard",
  statusConfig: "/status/config",
  notifications: "/notifications",
  monitors: "/monitors",
  monitorCreate: "/monitors/create",
  monitorEdit: (id: number | string) => `/monitors/edit/${id}`,
  monitor: (id: number | string) => `/monitors/${id}`,
  agents: "/agents",
  agentCreate: "/agents/create",
  agentEdit: (id: number | string) => `/agents/edit/${id}`,
  agent: (id: number | string) => `/agents/${id}`,
  users: "/users",
  userCreate: "/users/create",
  user: (id: number | string) => `/users/${id}`,
  security: "/security",
  profile: "/profile",
} as const;

/** A link is active on its own page and on everything below it. */
export const isActive = (path: string, link: string) => path === link || path.startsWith(`${link}/`);
