import { treaty } from "@elysiajs/eden";
import { navigate } from "wouter/use-browser-location";
import type { CompactList } from "../src/modules/monitors/list";
import type { App } from "../src/server/app";
import type { LinkKind } from "../src/shared/accounts/teams";
import type { ErrorDetail } from "../src/shared/check-error";
import type { QuotaName } from "../src/shared/limits";
import type { DeliveryError, DeliveryErrorCode } from "../src/shared/notifications";
import { bootstrap } from "./bootstrap";
import { sendOrTake } from "./head/first-answers";
import { hasUnsaved } from "./lib/form";
import { base } from "./lib/navigation/base-path";
import { createKeepingFetch } from "./lib/offline/answers";
import { ownScript } from "./lib/offline/code";
import { setAsOf } from "./lib/offline/connection";
import { ofTeam } from "./lib/storage";
import { loginPath, paths } from "./paths";
import { session, signOut } from "./session";

/** An invalid field of a request. Its code, if any, can be translated; its message is English. */
type FieldError = { path: string; message: string; code?: string };

/** What some errors have besides their code. */
type Details = {
  fields: FieldError[];
  /** With "quota_reached": the quota and its limit. */
  quota: { name: QuotaName; limit: number };
  /** With "provider_refused": why the message was not delivered. */
  failure: DeliveryError;
  /** With "dependency_cycle": the names on the cycle. */
  cycle: readonly string[];
  /** With "links_would_end": what would end. */
  links: readonly { kind: LinkKind; name: string }[];
  /** With "rule_changed": the values that are stored now. */
  current: Readonly<Record<string, unknown>>;
};

/** The error of a failed call. `code` is the server's error code, or "network" or "timeout" without an answer. */
export class CallError extends Error {
  readonly fields: FieldError[];
  readonly quota?: Details["quota"];
  readonly failure?: DeliveryError;
  readonly cycle?: readonly string[];
  readonly links?: Details["links"];
  readonly current?: Details["current"];
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    { fields = [], quota, failure, cycle, links, current }: Partial<Details> = {},
  ) {
    super(message);
    this.fields = fields;
    this.quota = quota;
    this.failure = failure;
    this.cycle = cycle;
    this.links = links;
    this.current = current;
  }
}

/** Whether a call failed because the item does not exist. */
export const isMissing = (error: unknown) =>
  error instanceof CallError && ["not_found", "invalid_id"].includes(error.code);

/** The user whose data is kept for offline use, and the build of the page that keeps it. */
const dataOwner = (): string | null => {
  const { status, user } = session();
  return status === "authenticated" && user ? `${user.id} ${ownScript()}` : null;
};

const keepingFetch = createKeepingFetch({
  owner: dataOwner,
  onAge: setAsOf,
  send: (input, init) => sendOrTake(session().token, input, init),
});

export const api = treaty<App>(new URL(".", document.baseURI).href, {
  parseDate: false,
  headers: () => {
    const { token } = session();
    return token ? { authorization: `Bearer ${token}` } : undefined;
  },
  fetch: { credentials: "omit" },
  fetcher: ((input: string, init?: RequestInit) => keepingFetch(ofTeam(input), init)) as typeof fetch,
  onRequest: (_path, { signal }) => (signal ? undefined : { signal: AbortSignal.timeout(bootstrap.apiTimeout) }),
}).api;

type Answer<T> = { data: T; error: null; status: number } | { data: null; error: { value: unknown }; status: number };

type Refusal = {
  code?: string;
  message?: string;
  errors?: FieldError[];
  quota?: QuotaName;
  limit?: number;
  error_code?: DeliveryErrorCode;
  error_detail?: ErrorDetail | null;
  cycle?: string[];
  links?: Details["links"];
  current?: Record<string, unknown>;
};

const toCallError = (value: unknown, status: number, answered: boolean) => {
  if (!answered) {
    const timedOut = value instanceof Error && ["TimeoutError", "AbortError"].includes(value.name);
    return new CallError(timedOut ? "timeout" : "network", value instanceof Error ? value.message : "", 0);
  }
  const refusal: Refusal = typeof value === "object" && value !== null ? value : {};
  // Without a code, the message is all that says what failed.
  const {
    message = "",
    code = message ? "unknown" : "internal",
    errors,
    quota,
    limit,
    error_code,
    error_detail,
    cycle,
    links,
    current,
  } = refusal;
  return new CallError(code, message, status, {
    fields: errors,
    quota: quota && limit !== undefined ? { name: quota, limit } : undefined,
    failure: error_code && { code: error_code, detail: error_detail ?? null },
    cycle,
    links,
    current,
  });
};

/**
 * Ends a session that the server no longer accepts, and opens the login page, which leads back to the present page. The
 * answer to a call of an earlier session ends nothing.
 */
const expire = (token: string | null) => {
  if (token === null || token !== session().token) return;
  const from = location.pathname.slice(base.length) + location.search;
  const unsaved = hasUnsaved();
  signOut();
  navigate(base + loginPath(from), { state: { ended: true, unsaved } });
};

const saysFailure = (data: unknown): boolean =>
  typeof data === "object" && data !== null && "success" in data && data.success === false;

/**
 * The payload of a successful answer to a call that was sent just now. Throws a CallError otherwise, also for an answer of
 * 200 with `success: false`, and ends the session on 401 unless `isLogin`.
 */
export const payload = async <T>(call: Promise<Answer<T>>, { isLogin = false } = {}): Promise<NonNullable<T>> => {
  const { token } = session();
  const answer = await call;
  if (answer.error !== null) {
    if (answer.status === 401 && !isLogin) expire(token);
    const isAnswered = "response" in answer && answer.response !== undefined;
    const error = toCallError(answer.error.value, answer.status, isAnswered);
    if (error.code === "second_factor_required") navigate(base + paths.profileSection("security"));
    throw error;
  }
  if (answer.data === null || answer.data === undefined) throw new CallError("internal", "", answer.status);
  if (saysFailure(answer.data)) throw toCallError(answer.data, answer.status, true);
  return answer.data;
};

/** Lists monitors with the fields that lists show. */
export const listCompact = async (query: NonNullable<Parameters<typeof api.monitors.get>[0]>["query"]) =>
  (await payload(api.monitors.get({ query: { ...query, fields: "compact" } }))) as CompactList;
