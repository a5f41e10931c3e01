import { type Static, t } from "elysia";
import { AppError, validation } from "../../core/errors";
import { field, oneOf, whole } from "../../server/schema";
import { LANGUAGES } from "../../shared/language";
import { STATUS_LIMITS as LIMITS, STATUS_DAYS, STATUS_THEMES } from "../../shared/status-page";
import { TAG_LIMITS } from "../../shared/tags";

const text = (maxLength: number, description: string, ...examples: string[]) =>
  t.Optional(
    field(
      t.String({ maxLength, error: `expected a text of at most ${maxLength} characters` }),
      description,
      ...examples,
    ),
  );
const ids = (description: string) =>
  t.Optional(
    field(
      t.Array(t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
        maxItems: LIMITS.chosen,
        error: `expected a list of at most ${LIMITS.chosen} ids`,
      }),
      description,
      [],
    ),
  );

const groups = t.Optional(
  field(
    t.Array(
      t.Object({
        name: field(
          t.String({
            minLength: 1,
            maxLength: LIMITS.groupName,
            pattern: "\\S",
            error: `expected a name of at most ${LIMITS.groupName} characters`,
          }),
          "Its heading.",
          "Shop",
        ),
        tag: t.Optional(
          field(
            t.String({
              maxLength: TAG_LIMITS.filter,
              error: `expected a tag of at most ${TAG_LIMITS.filter} characters`,
            }),
            "A tag, as its name or `name:value`. All of your monitors and servers that have it are on the page and in the group.",
          ),
        ),
        monitors: ids("Ids of monitors in the group, in order."),
        agents: ids("Ids of servers in the group, in order."),
      }),
      { maxItems: LIMITS.groups, error: `expected a list of at most ${LIMITS.groups} groups` },
    ),
    "Named parts of the page, in order. An item counts in the first group that names it, and only if it is chosen; items in no group follow.",
  ),
);

const flag = (description: string) => t.Optional(field(t.Boolean({ error: "expected true or false" }), description));

/** The configuration of a page in a request. Fields that are left out keep their values. */
export const configModel = t.Object({
  title: text(LIMITS.title, "At most 200 characters.", "Acme"),
  description: text(LIMITS.description, "At most 2,000 characters.", "How our services are doing."),
  logoUrl: text(LIMITS.logoUrl, "An https address, or an image as a data: address.", ""),
  logo_url: text(LIMITS.logoUrl, "The same as logoUrl."),
  customCss: text(LIMITS.customCss, "At most 64 KiB. Parts that load or run something are removed.", ""),
  custom_css: text(LIMITS.customCss, "The same as customCss."),
  theme: t.Optional(
    field(
      oneOf(STATUS_THEMES),
      "How the page looks: `light` unless it is set. `auto`: as the viewer's system.",
      "auto",
    ),
  ),
  monitors: ids("Ids of your monitors, in the order on the page."),
  monitor_ids: ids("The same as monitors."),
  agents: ids("Ids of your servers, in the order on the page."),
  agent_ids: ids("The same as agents."),
  groups,
  show_hostname: flag("Whether servers' host names are shown: they are unless this is false."),
  showHostname: flag("The same as show_hostname."),
  show_os: flag("Whether servers' operating systems are shown: they are unless this is false."),
  showOs: flag("The same as show_os."),
  show_version: flag("Whether the versions of servers' systems are shown: they are unless this is false."),
  showVersion: flag("The same as show_version."),
});
export type ConfigBody = Static<typeof configModel>;

export const configQuery = t.Object({
  search: t.Optional(field(t.String({ maxLength: 200 }), "List only those with this in their name or host name.")),
});

/** In the addresses of what programs read of a private page. */
const keyField = t.Optional(field(t.String({ maxLength: 100 }), "The key of a private page."));

export const slugQuery = t.Object({
  page: t.Optional(
    field(
      t.String({ maxLength: 200 }),
      "The page's name in its address; the first administrator's page by default.",
      "alice",
    ),
  ),
});
export const pageQuery = t.Object({ ...slugQuery.properties, key: keyField });

export const feedQuery = t.Object({
  ...pageQuery.properties,
  lang: t.Optional(
    field(
      oneOf(LANGUAGES),
      "The language of the feed; by default the one that Accept-Language asks for, or else that of the page's owner.",
      "en-US",
    ),
  ),
});

export const embedQuery = t.Object({
  ...feedQuery.properties,
  theme: t.Optional(field(oneOf(STATUS_THEMES), "`auto` by default: as the system of the viewer.", "light")),
});

export const pageBadgeParams = t.Object({
  file: field(
    t.String({ maxLength: 40 }),
    "`page.svg`, or the id of a component in Statuspage's format with `.svg`.",
    "page.svg",
  ),
});

export const incidentParams = t.Object({
  key: field(t.String({ maxLength: 40 }), "The incident's key.", "kqzvhwmxbrtd"),
});

export const historyQuery = t.Object({
  ...pageQuery.properties,
  month: t.Optional(
    field(t.String({ maxLength: 40 }), "A month in the page's zone; the current one by default.", "2026-01"),
  ),
  day: t.Optional(field(t.String({ maxLength: 40 }), "A day (UTC) in place of a month.", "2026-01-15")),
});

export const badgeParams = t.Object({
  file: field(t.String({ maxLength: 40 }), "The monitor's id with `.svg`.", "1.svg"),
});
export const badgeQuery = t.Object({
  type: t.Optional(field(oneOf(["status", "uptime"]), "`status` by default.", "uptime")),
  days: t.Optional(field(whole(1, STATUS_DAYS), `The days of the uptime: 1 to ${STATUS_DAYS}; 30 by default.`)),
  key: keyField,
});

/** Addresses below /status that are no pages, because something of the first administrator's page is or may be there. */
const RESERVED = [
  ...["config", "api", "feed", "history", "embed", "style", "subscribe", "incidents", "manage", "unsubscribe"],
  ...["access", "data", "badge", "badges", "calendar", "maintenance", "icon", "days"],
];

/** Normalizes a text for the comparison of slugs. */
const normalSlug = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Whether a page can have this slug. Other texts are not looked up. */
const isSlug = (text: string): boolean => /^[\p{L}\p{N}_-]{1,1200}$/u.test(text);

/** The stored spelling of a slug, or null if the text can't be a slug. */
export const canonicalSlug = (text: string): string | null => {
  const slug = normalSlug(text);
  return isSlug(slug) ? slug : null;
};

/** Candidate slugs for a user's page, best first: `alice`, then `alice-2`, and so on. */
export function* slugsOf(username: string): Generator<string> {
  const words = normalSlug(username)
    .replace(/[^\p{L}\p{N}_]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  const slug = words || "page";
  if (!RESERVED.includes(slug)) yield slug;
  for (let number = 2; ; number++) yield `${slug}-${number}`;
}

/**
 * The stored spelling of the slug of a new page.
 * @throws {AppError} validation, address_taken for a reserved one
 */
export const newSlug = (text: string): string => {
  const slug = canonicalSlug(text.trim());
  if (slug === null)
    throw validation([{ path: "slug", message: "slug: expected letters, digits, underscores and hyphens" }]);
  if (RESERVED.includes(slug)) throw new AppError("address_taken");
  return slug;
};
