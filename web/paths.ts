import { screens } from "./screens";

type PathOf<Pattern extends string> = Pattern extends `${string}:id` ? (id: number | string) => string : Pattern;
type Paths = { [Name in keyof typeof screens]: PathOf<(typeof screens)[Name]["path"]> };

const toPath = (pattern: string) =>
  pattern.endsWith(":id") ? (id: number | string) => pattern.replace(":id", String(id)) : pattern;

/** The path of each screen, or a function from an id to it, and the path of the public status page. */
export const paths = {
  ...(Object.fromEntries(Object.entries(screens).map(([name, { path }]) => [name, toPath(path)])) as Paths),
  status: "/status",
} as const;

/** The login page, which leads back to `from` afterwards: a path with its search, inside the console. */
export const loginPath = (from: string): string =>
  from === paths.dashboard ? paths.login : `${paths.login}?${new URLSearchParams({ next: from })}`;

/** Where the login page leads: back to the page that was asked for, otherwise to the dashboard. */
export const afterLogin = (search: string): string => {
  const next = new URLSearchParams(search).get("next") ?? "";
  // A second slash or a backslash would name another host; browsers drop control characters in between.
  return /^\/(?![/\\])\P{Cc}*$/u.test(next) ? next : paths.dashboard;
};
