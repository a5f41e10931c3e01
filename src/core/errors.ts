import type { KeyScope } from "../shared/accounts/key-scopes";
import type { LinkKind } from "../shared/accounts/teams";
import { fill, type ParamNames } from "../shared/language";
import type { QuotaName } from "../shared/limits";
import type { DeliveryError } from "../shared/notifications";

/**
 * Every error that the API answers: its code, which never changes once released, with its HTTP status and its English
 * message. `{name}` in a message is replaced by a parameter.
 */
export const ERRORS = {
  bad_host: [400, "The request needs exactly one valid Host header."],
  malformed_json: [400, "The body is not valid JSON."],
  unauthorized: [401, "Sign in to do this."],
  invalid_credentials: [401, "Username or password is incorrect"],
  token_invalid: [401, "This enrollment token does not exist. Create a new one."],
  token_expired: [401, "This enrollment token has expired. Create a new one."],
  token_used: [401, "This enrollment token was already used. Create a new one."],
  agent_deleted: [401, "This server was deleted on the hub."],
  page_password_required: [401, "This status page needs its password, or its key in the query: ?key=…"],
  page_members_only: [401, "This status page is for members of its team. Open it signed in, or use its key: ?key=…"],
  read_only_key: [403, "This API key is read-only."],
  insufficient_scope: [403, "This API key lacks the scope {scope}."],
  session_required: [403, "This can't be done with an API key. Sign in to do it."],
  proof_required: [
    403,
    "Confirm that it is you to do this: send your password or a second factor, then repeat the call.",
  ],
  second_factor_required: [
    403,
    "A second factor is required here. Add a passkey or an authenticator app to your account first.",
  ],
  forbidden: [403, "Only an administrator may do this."],
  role_insufficient: [403, "Your role in this team does not allow this."],
  invitation_invalid: [403, "This invitation is not valid any more. Ask for a new one."],
  setup_code_required: [403, "The first account requires the setup code, which is in the startup log."],
  setup_code_wrong: [403, "The setup code is wrong. It is in the startup log."],
  reset_link_invalid: [403, "This link is not valid any more. Request a new one."],
  sign_in_expired: [403, "This sign-in has expired. Begin again with your password."],
  setup_expired: [403, "This set-up has expired. Begin again."],
  password_login_off: [403, "Signing in with a password or a passkey is switched off here."],
  proxy_required: [403, "The proxy in front of Wakeful names no user."],
  no_account: [403, "There is no account for you here. Ask an administrator."],
  oidc_expired: [403, "This sign-in took too long, or began in another browser. Start again."],
  oidc_failed: [403, "The answer of {name} was not accepted. The log says why."],
  registration_closed: [403, "Registration is closed. Ask an administrator for an account."],
  not_found: [404, "{what} does not exist."],
  no_download: [404, "{name} is not available here. Put the release files into DOWNLOADS_DIR, or set RELEASE_URL."],
  username_taken: [409, "Username already exists"],
  email_taken: [409, "Email already exists"],
  registration_fixed: [409, "Registration can't be opened while REGISTRATION=closed is set in the environment."],
  mail_not_set_up: [409, "Wakeful sends no mails here. Ask an administrator for a new password."],
  no_email: [409, "Your account has no email address. Add one to your profile first."],
  passkeys_unavailable: [
    409,
    "Passkeys need an https address with a host name. Open Wakeful at one, or set PUBLIC_URL.",
  ],
  too_many_passkeys: [409, "You can have at most {limit} passkeys. Remove one first."],
  no_second_factor: [409, "Your account has no second factor. Add one first."],
  identity_taken: [409, "This user of the issuer signs in to another account."],
  password_required: [409, "Your account has no password, so you could not sign in any more."],
  last_admin: [409, "This is the last administrator. Make another user an administrator first."],
  cannot_delete_self: [409, "You can't delete your own account."],
  last_owner: [409, "A team needs an owner. Make another member an owner first, or delete the team."],
  personal_team: [409, "This is the team of an account: it can't be deleted, and its user stays an owner of it."],
  links_would_end: [409, "{count} links with things of its team would end. Send drop: true to move it all the same."],
  already_member: [409, "You are a member of this team already."],
  too_many_teams: [409, "You can have at most {limit} teams. Leave or delete one first."],
  too_many_members: [409, "A team can have at most {limit} members."],
  too_many_invitations: [409, "A team can have at most {limit} open invitations. Revoke some first."],
  quota_reached: [409, "The limit of {limit} {noun} per user is reached. Delete some, or ask an administrator."],
  method_not_allowed: [405, "This address does not accept this method. It accepts {methods}."],
  post_only: [405, "This heartbeat accepts pings by POST only."],
  outage_ended: [409, "This outage has ended."],
  already_acknowledged: [409, "This outage is acknowledged already."],
  link_invalid: [403, "This link is not valid. Open the outage in Wakeful."],
  link_expired: [403, "This link is too old. Open the outage in Wakeful."],
  template_exists: [409, "There is a template for this channel and event already."],
  too_many_templates: [409, "You can have at most {limit} templates. Delete some first."],
  too_many_report_schedules: [409, "You can have at most {limit} scheduled reports. Delete some first."],
  too_many_windows: [409, "You can have at most {limit} maintenance windows. Delete some first."],
  too_many_pages: [409, "You can have at most {limit} status pages. Delete some first."],
  address_taken: [409, "This address is taken, or belongs to Wakeful itself. Choose another one."],
  domain_taken: [409, "A status page has the domain {domain} already."],
  domain_own: [422, "{domain} is the address of Wakeful itself, so no status page can have it."],
  domain_without_public_url: [403, "Only an administrator can add domains while PUBLIC_URL is not set."],
  domain_invalid: [422, "{domain} can't be the domain of a status page: {problem}."],
  too_many_incidents: [409, "A team can have at most {limit} open incidents. Resolve some first."],
  too_many_updates: [409, "An incident can have at most {limit} updates."],
  too_many_incident_texts: [409, "You can have at most {limit} templates of incidents. Delete some first."],
  incident_changed: [409, "This incident was changed after you read it. Read it again before you save."],
  no_mail_subscriptions: [409, "This status page sends no mails. Subscribe by webhook, or to its feed."],
  too_many_subscribers: [409, "This status page takes no more subscribers."],
  no_report_channels: [409, "None of its channels can be used, so the report would reach no one."],
  too_many_report_links: [409, "You can have at most {limit} links to reports. Revoke some first."],
  threshold_exists: [409, "You have a threshold for the same servers and figure already."],
  too_many_thresholds: [409, "You can have at most {limit} thresholds. Delete some first."],
  too_many_objectives: [409, "You can have at most {limit} uptime objectives. Remove some first."],
  too_many_matches: [422, "{count} monitors match. At most {limit} are changed in one call."],
  tag_exists: [409, "You have a tag with this name already."],
  too_many_tags: [409, "You can have at most {limit} tags. Delete some first."],
  slug_ambiguous: [409, "Several heartbeats of this team have this slug."],
  ping_key_taken: [409, "Another team has this ping key already."],
  too_many_ping_keys: [409, "You can have at most {limit} ping keys. Revoke some first."],
  too_many_walls: [409, "You can have at most {limit} wall addresses. Revoke some first."],
  check_in_progress: [409, "A check of this monitor is in progress."],
  monitor_paused: [409, "This monitor was paused during the check."],
  not_checkable: [409, "This monitor can't be checked: it waits for pings."],
  alerts_off: [409, "Alerts are switched off here, or do not include outages, so a drill would send nothing."],
  rule_changed: [409, "These settings were changed after you read them. Read them again before you save."],
  no_recipients: [409, "No channel that can be used is chosen here, so a drill would send nothing."],
  conflict: [409, "{reason}"],
  too_large: [413, "The body is larger than {limit}."],
  wrong_host: [421, "This host name is not the one in PUBLIC_URL."],
  validation: [422, "Some fields are not valid: {problems}."],
  invalid_id: [422, "An id is a positive integer."],
  import_unreadable: [422, "This file can't be read: {reason}."],
  import_refused: [422, "{source} can't be read with this key: {reason}."],
  import_unknown: [422, "No source of imports knows this file. It knows files of {sources}."],
  username_not_allowed: [
    422,
    "A username may contain letters, digits and punctuation of one script, but no invisible characters or symbols.",
  ],
  weak_password: [
    422,
    "This password is too easy to guess: it is a very common one, a single repeated character, the user's own name or email, or a name such as the product's, the host's or a season's with digits.",
  ],
  wrong_password: [422, "The current password is incorrect."],
  wrong_passkey: [422, "This passkey was not accepted. Try again."],
  passkey_copied: [
    422,
    "This passkey was refused: it has signed less often than before, so there may be a copy of it. Remove it and add a new one.",
  ],
  wrong_code: [422, "This code is wrong."],
  code_used: [422, "This code was used already. Wait for the next one."],
  clock_off: [
    422,
    "This code is right at another time, some minutes from now. Enter the present one. If that is refused too, the clock of your phone or of this server is wrong.",
  ],
  ping_unavailable: [
    422,
    "This machine has no working ping program. Install iputils-ping where Wakeful runs, or check a TCP port instead.",
  ],
  rdap_unavailable: [
    422,
    "The registry of this domain does not publish registrations by RDAP, so that its expiry can't be watched.",
  ],
  dependency_cycle: [422, "This would be a cycle: {path}."],
  too_many_streams: [429, "You have too many pages open that follow changes live."],
  test_too_soon: [
    429,
    "You can send one test message a second to each service, and two at once. Try again in a moment.",
  ],
  rate_limited: [429, "Too many attempts. Try again in {wait}."],
  internal: [500, "An unexpected error occurred. It was logged."],
  oidc_unreachable: [503, "{name} can't be reached now. Try again soon."],
  provider_refused: [502, "The provider said: {reply}"],
  hub_unavailable: [503, "Wakeful itself can't make this request now: {reason}. No result was recorded."],
  registry_unavailable: [503, "The registry of the domain has no answer now: {reason}. No result was recorded."],
  unavailable: [503, "{reason} Try again soon."],
  database_full: [
    503,
    "The database can't be written because its disk is full. Free some space there, then try again.",
  ],
  database_read_only: [503, "The database can't be written because it is read-only. Try again once that has changed."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** The parameters of a code's message; an empty object for most. */
export type ErrorParams<Code extends ErrorCode> = Record<ParamNames<(typeof ERRORS)[Code][1]>, string | number>;

/** The English message of a code. */
export const errorMessage = <Code extends ErrorCode>(code: Code, params: ErrorParams<Code>): string =>
  fill(ERRORS[code][1], params);

/** A field that is not valid, under the name that the request used. */
export type FieldError = { path: string; message: string };

type Details = {
  errors?: FieldError[];
  /** Seconds. */
  retryAfter?: number;
  quota?: { name: QuotaName; limit: number };
  /** The scope that a key lacks. */
  scope?: KeyScope;
  /** Why a message was not delivered. */
  failure?: DeliveryError;
  /** The names of the targets on a cycle; the first one is also the last. */
  cycle?: string[];
  /** The stored values, with `rule_changed` and `incident_changed`. */
  current?: object;
  /** With `links_would_end`. */
  links?: { kind: LinkKind; name: string }[];
};
type Params<Code extends ErrorCode> = keyof ErrorParams<Code> extends never
  ? [params?: Record<string, never>, details?: Details]
  : [params: ErrorParams<Code>, details?: Details];

/** An error that the API answers to its caller. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  override name = "AppError";
  readonly status: (typeof ERRORS)[Code][0];
  readonly details: Details;
  constructor(
    readonly code: Code,
    ...[params, details = {}]: Params<Code>
  ) {
    super(errorMessage(code, (params ?? {}) as ErrorParams<Code>));
    this.status = ERRORS[code][0];
    this.details = details;
  }
}

/** `what` does not exist, or belongs to another user. */
export const notFound = (what = "This"): AppError => new AppError("not_found", { what });

const QUOTA_NOUNS: Record<QuotaName, string> = {
  monitors: "monitors",
  servers: "servers",
  channels: "channels",
  keys: "API keys",
  enrollment_tokens: "unused enrollment tokens",
};

/** A user's quota is reached; administrators are unlimited. */
export const quotaReached = (name: QuotaName, limit: number): AppError =>
  new AppError("quota_reached", { limit, noun: QUOTA_NOUNS[name] }, { quota: { name, limit } });

export const insufficientScope = (scope: KeyScope): AppError =>
  new AppError("insufficient_scope", { scope }, { scope });

export const validation = (errors: FieldError[]): AppError =>
  new AppError("validation", { problems: errors.map(({ message }) => message).join("; ") }, { errors });

/** `seconds` until the next attempt is allowed, also sent as Retry-After. */
export const rateLimited = (seconds: number): AppError =>
  new AppError("rate_limited", { wait: `${seconds} ${seconds === 1 ? "second" : "seconds"}` }, { retryAfter: seconds });

export const unavailable = (reason = "The database can't be written now."): AppError =>
  new AppError("unavailable", { reason });

/** An error as the API answers it. */
export const refusal = ({ code, message, details }: AppError) => ({
  success: false as const,
  code,
  message,
  ...(details.errors && { errors: details.errors }),
  ...(details.failure && { error_code: details.failure.code, error_detail: details.failure.detail }),
  ...(details.cycle && { cycle: details.cycle }),
  ...(details.current && { current: details.current }),
  ...(details.links && { links: details.links }),
  ...(details.scope && { scope: details.scope }),
  ...(details.quota && { quota: details.quota.name, limit: details.quota.limit }),
});

/**
 * Describes an unexpected error for the log: the first line of its root cause. Drizzle's own message is left out, since
 * it holds the values of the statement, such as password hashes.
 */
export const describeError = (error: unknown): string => {
  let root = error;
  while (root instanceof Error && root.cause) root = root.cause;
  if (!(root instanceof Error)) return String(root).slice(0, 200);
  return root.message.startsWith("Failed query")
    ? root.name
    : `${root.name}: ${root.message.split("\n")[0]?.slice(0, 300)}`;
};
