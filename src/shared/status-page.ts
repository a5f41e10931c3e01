export const STATUS_LIMITS = {
  title: 200,
  description: 2000,
  /** Large enough for a small data: image. */
  logoUrl: 262_144,
  customCss: 65_536,
  /** Monitors, and also agents. */
  chosen: 1000,
  groups: 50,
  groupName: 100,
} as const;

/** How a page looks. `auto`: as the viewer's system, or as the viewer has chosen in the console. */
export const STATUS_THEMES = ["light", "dark", "auto"] as const;
export type StatusTheme = (typeof STATUS_THEMES)[number];

/** Days of history that a page may have, including today, and those that it has unless its owner chooses. */
export const HISTORY_DAYS = [14, 30, 90, 365] as const;
export const STATUS_DAYS = 90;

/** Days whose outages the page and its feed list, including today. */
export const PAST_DAYS = 14;

/**
 * A named part of a page, with the ids of its monitors and servers in order. Targets with its tag, written as by `tagText`,
 * follow.
 */
export type StatusGroup = { name: string; tag?: string; monitors: number[]; agents: number[] };

export const OVERALL = ["operational", "degraded", "partial", "outage", "maintenance"] as const;
export type Overall = (typeof OVERALL)[number];

const IMAGE = "(png|jpeg|gif|webp)";
const LOGO_DATA = new RegExp(
  `^data:image/(${IMAGE};base64,[\\w+/]+=*|svg\\+xml(;charset=utf-8)?(;base64)?,[\\w!*'();:@&=+$,/?%.~-]+)$`,
  "i",
);

/** A host without signs that have a meaning in a Content-Security-Policy, such as `*` and `;`. */
const PLAIN_HOST = /^([\w.-]+|\[[\da-f:.]+\])$/i;

/** The https URL in a text, whose host may stand in a Content-Security-Policy; null otherwise. */
export const logoAddress = (text: string): URL | null => {
  const url = /^https:\/\/[^\s/]/i.test(text) ? URL.parse(text) : null;
  return url?.protocol === "https:" && PLAIN_HOST.test(url.hostname) ? url : null;
};

/** Whether this is a valid logo: empty, an https URL or a data: image. */
export const isLogo = (text: string): boolean => {
  if (text === "" || LOGO_DATA.test(text)) return true;
  const url = logoAddress(text);
  return url !== null && url.username === "" && url.password === "";
};
