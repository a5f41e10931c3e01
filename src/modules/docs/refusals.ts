import { type ErrorCode, type ErrorParams, errorMessage } from "../../core/errors";
import { TEAM_LIMITS } from "../../shared/accounts/teams";
import { MAX_THRESHOLDS } from "../../shared/agents/thresholds";
import { LIMITS } from "../../shared/limits";
import { BULK_LIMITS } from "../../shared/monitor";
import { WINDOW_LIMITS } from "../../shared/outages/maintenance";
import { MAX_OBJECTIVES } from "../../shared/outages/objectives";
import { MAX_REPORT_LINKS } from "../../shared/reports/period";
import { MAX_REPORT_SCHEDULES } from "../../shared/reports/schedule";
import { PAGE_LIMITS } from "../../shared/status/components";
import { DOMAIN_PROBLEMS } from "../../shared/status/domains";
import { INCIDENT_LIMITS } from "../../shared/status/incidents";
import { TAG_LIMITS } from "../../shared/tags";

/** Parameters for the example message of each code that has some. */
const EXAMPLE_PARAMS: {
  [Code in ErrorCode as keyof ErrorParams<Code> extends never ? never : Code]: ErrorParams<Code>;
} = {
  not_found: { what: "This" },
  insufficient_scope: { scope: "enroll" },
  oidc_failed: { name: "Authentik" },
  oidc_unreachable: { name: "Authentik" },
  import_refused: { source: "Better Stack", reason: "it refuses the key" },
  import_unreadable: { reason: "the database is damaged or incomplete" },
  import_unknown: { sources: "Uptime Kuma" },
  no_download: { name: "wakeful-linux-amd64" },
  method_not_allowed: { methods: "GET, HEAD" },
  dependency_cycle: { path: "shop → router → shop" },
  quota_reached: { limit: 200, noun: "monitors" },
  too_many_matches: { count: 1200, limit: BULK_LIMITS.monitors },
  too_many_report_links: { limit: MAX_REPORT_LINKS },
  too_many_report_schedules: { limit: MAX_REPORT_SCHEDULES },
  too_many_windows: { limit: WINDOW_LIMITS.windows },
  too_many_pages: { limit: PAGE_LIMITS.pages },
  domain_taken: { domain: "status.example.com" },
  domain_own: { domain: "watch.example.com" },
  domain_invalid: { domain: "192.0.2.1", problem: DOMAIN_PROBLEMS.address },
  too_many_incidents: { limit: INCIDENT_LIMITS.open },
  too_many_updates: { limit: INCIDENT_LIMITS.updates },
  too_many_incident_texts: { limit: INCIDENT_LIMITS.texts },
  too_many_tags: { limit: TAG_LIMITS.perUser },
  too_many_templates: { limit: 100 },
  too_many_objectives: { limit: MAX_OBJECTIVES },
  too_many_passkeys: { limit: LIMITS.passkeys },
  too_many_ping_keys: { limit: 20 },
  too_many_walls: { limit: 20 },
  too_many_teams: { limit: 5 },
  links_would_end: { count: 2 },
  too_many_members: { limit: TEAM_LIMITS.members },
  too_many_invitations: { limit: TEAM_LIMITS.invitations },
  too_many_thresholds: { limit: MAX_THRESHOLDS },
  conflict: { reason: "Your data was changed during the import. Try again." },
  too_large: { limit: "1 MiB" },
  validation: { problems: "name: expected a name of 1 to 200 characters" },
  rate_limited: { wait: "120 seconds" },
  provider_refused: { reply: "401: Unauthorized" },
  hub_unavailable: { reason: "the name servers of this machine do not answer" },
  registry_unavailable: { reason: "it wants fewer requests" },
  unavailable: { reason: "The database can't be written now." },
};

/** The message of a code with example parameters. */
export const exampleMessage = (code: ErrorCode): string =>
  errorMessage(code, (EXAMPLE_PARAMS as Partial<Record<ErrorCode, object>>)[code] as ErrorParams<ErrorCode>);

/** An example of the body of an error. */
export const refusalExample = (code: ErrorCode) => ({
  success: false,
  code,
  message: exampleMessage(code),
  ...(code === "validation" && {
    errors: [{ path: "name", message: "name: expected a name of 1 to 200 characters" }],
  }),
  ...(code === "dependency_cycle" && { cycle: ["shop", "router", "shop"] }),
  ...(code === "rule_changed" && { current: { enabled: true, version: "3k2j9x" } }),
  ...(code === "incident_changed" && { current: { id: 3, updated_at: "2026-01-15T12:20:00.000Z" } }),
  ...(code === "links_would_end" && { links: [{ kind: "channel", name: "On call" }] }),
  ...(code === "insufficient_scope" && { scope: "enroll" }),
  ...(code === "quota_reached" && { quota: "monitors", limit: 200 }),
});
