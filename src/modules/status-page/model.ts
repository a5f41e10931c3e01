import { type Static, t } from "elysia";
import { oneOf, whole } from "../../server/schema";
import { STATUS_LIMITS as LIMITS, STATUS_DAYS } from "../../shared/status-page";

const text = (maxLength: number) =>
  t.Optional(t.String({ maxLength, error: `expected a text of at most ${maxLength} characters` }));
const ids = t.Optional(
  t.Array(t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    maxItems: LIMITS.chosen,
    error: `expected at most ${LIMITS.chosen} ids`,
  }),
);

const flag = t.Optional(t.Boolean({ error: "expected true or false" }));

/** A page as it is sent. What is left out stays as it was. */
export const configModel = t.Object({
  title: text(LIMITS.title),
  description: text(LIMITS.description),
  logoUrl: text(LIMITS.logoUrl),
  logo_url: text(LIMITS.logoUrl),
  customCss: text(LIMITS.customCss),
  custom_css: text(LIMITS.customCss),
  monitors: ids,
  agents: ids,
  show_hostname: flag,
  showHostname: flag,
  show_os: flag,
  showOs: flag,
  show_version: flag,
  showVersion: flag,
});
export type ConfigBody = Static<typeof configModel>;

export const configQuery = t.Object({ search: t.Optional(t.String({ maxLength: 200 })) });

export const pageQuery = t.Object({ page: t.Optional(t.String({ maxLength: 200 })) });

export const badgeParams = t.Object({ file: t.String({ maxLength: 40 }) });
export const badgeQuery = t.Object({
  type: t.Optional(oneOf(["status", "uptime"])),
  days: t.Optional(whole(1, STATUS_DAYS)),
});
