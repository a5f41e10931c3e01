import type { Static } from "@sinclair/typebox";
import type { FieldError } from "../core/errors";
import type { presentUser } from "../modules/accounts/account/service";
import type { listKeys } from "../modules/accounts/keys/service";
import type { readQuotas } from "../modules/accounts/quotas/service";
import type { readSecurityLog } from "../modules/accounts/security-log";
import type { listSessions } from "../modules/accounts/sessions/service";
import type { countDeleted } from "../modules/accounts/users/service";
import type { channelForms } from "../modules/alerting/channels/registry";
import type { listChannels } from "../modules/alerting/channels/service";
import type { readEvents } from "../modules/alerting/history/events";
import type { readOutages } from "../modules/alerting/outages/list/page";
import type { readSettings } from "../modules/alerting/rules/service";
import type { listTemplates } from "../modules/alerting/templates/built-in";
import type { listOwnTemplates } from "../modules/alerting/templates/service";
import type { Point, Series } from "../modules/monitors/history/series/series";
import type { Uptimes } from "../modules/monitors/history/uptime";
import type { Counts } from "../modules/monitors/list";
import type { presentCheck, presentMonitor } from "../modules/monitors/present";
import type { MetricPoint, MetricSeries } from "../modules/servers/history/series";
import type { presentServer, presentServerDetail } from "../modules/servers/present";
import type { ListCounts } from "../modules/servers/service";
import type { listThresholds } from "../modules/servers/thresholds/service";
import type { listTags } from "../modules/tags/service";
import type { App } from "../server/app";

type Check = ReturnType<typeof presentCheck>;
type Monitor = ReturnType<typeof presentMonitor> & {
  checks: Check[];
  uptimes: Uptimes;
  outages: Awaited<ReturnType<typeof readOutages>>["outages"];
};

type Token = { id: number; created_at: string; expires_at: string; used: boolean };

/** Every field of the API's answers, for paths that are not known when the test is compiled. */
type Body = {
  success: boolean;
  code: string;
  message: string;
  errors: FieldError[];
  quota: string;
  limit: number;
  quotas: Awaited<ReturnType<typeof readQuotas>>;
  token: string;
  tokens: [Token, ...Token[]];
  downloads: string[];
  user: ReturnType<typeof presentUser>;
  users: ReturnType<typeof presentUser>[];
  owns: Awaited<ReturnType<typeof countDeleted>>;
  sessions: Awaited<ReturnType<typeof listSessions>>;
  ended: number;
  entries: Awaited<ReturnType<typeof readSecurityLog>>["entries"];
  keys: Awaited<ReturnType<typeof listKeys>>;
  monitor: Monitor;
  monitors: Monitor[];
  agent: ReturnType<typeof presentServerDetail>;
  agents: ReturnType<typeof presentServer>[];
  threshold: Awaited<ReturnType<typeof listThresholds>>[number];
  key: string;
  accepted: number;
  expires_at: string;
  total: number;
  counts: Counts & Partial<Static<typeof ListCounts>>;
  check: Check;
  checks: Check[];
  next: number | null;
  points: (Point & Partial<MetricPoint>)[];
  series: MetricSeries[];
  summary: Series["summary"];
  open: boolean;
  first: boolean;
  fixed: boolean;
  data: {
    id: number;
    expires_at: string | null;
    channels: Awaited<ReturnType<typeof listChannels>>;
    kinds: ReturnType<typeof channelForms>;
    settings: Awaited<ReturnType<typeof readSettings>>;
    templates: ReturnType<typeof listTemplates>;
    own_templates: Awaited<ReturnType<typeof listOwnTemplates>>;
  };
  tags: Awaited<ReturnType<typeof listTags>>;
  outages: Awaited<ReturnType<typeof readOutages>>["outages"];
  acknowledged: Awaited<ReturnType<typeof readOutages>>["outages"][number]["acknowledged"];
  events: Awaited<ReturnType<typeof readEvents>>["events"];
};

type Routes = App["~Routes"];

type KeysOf<Union> = Union extends unknown ? keyof Union : never;
/** The fields that any member of a union has. */
type Merged<Union> = { [Key in KeysOf<Union>]: Union extends Record<Key, infer Value> ? Value : never };

/** A child of a node of the route tree: by its name, by its name before a query (`monitors${string}`), or a parameter. */
type Child<Node, Segment extends string> = Segment extends keyof Node
  ? Node[Segment]
  : {
      [Key in keyof Node & string]: Segment extends `${Key}${string}`
        ? Node[Key]
        : Key extends `:${string}`
          ? Node[Key]
          : never;
    }[keyof Node & string];
type Find<Node, Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? Find<Child<Node, Segment>, Rest>
  : Child<Node, Path>;
type Route<Path extends string> = Path extends `${infer Address}?${string}`
  ? Route<Address>
  : Path extends `/${infer Rest}`
    ? Find<Routes, Rest>
    : never;
type Success<Responses> = Responses[Extract<keyof Responses, 200 | 201 | 202>];

/** The fields of a refusal. */
type Refusal = {
  success: boolean;
  code: string;
  message: string;
  errors: FieldError[];
  quota: string;
  limit: number;
  cycle: string[];
  current: Record<string, unknown>;
};

/** The fields of the success answers of a route of the app, by method and path, and of a refusal. */
export type AnswerOf<Method extends string, Path extends string> = [Route<Path>] extends [never]
  ? Body
  : Route<Path> extends Record<Method, { response: infer Responses }>
    ? Omit<Merged<Success<Responses>>, keyof Refusal> & Refusal
    : Body;

export type TestResponse<Answer = Body> = { status: number; headers: Headers; text: string; body: Answer };
type Send = (request: Request) => Response | Promise<Response>;

const ORIGIN = "http://localhost";

const parse = <Answer>(text: string): Answer => {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {} as Answer;
  }
};

/** The text of an answer; of a stream, which does not end, its first part. */
const readText = async (response: Response): Promise<string> => {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response.text();
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value);
};

/** Sends one request and reads its whole answer. */
export const call = async <Answer = Body>(
  send: Send,
  path: string,
  init: RequestInit = {},
): Promise<TestResponse<Answer>> => {
  const response = await send(new Request(new URL(path, ORIGIN), init));
  const text = await readText(response);
  return { status: response.status, headers: response.headers, text, body: parse(text) };
};

/** A client of the API, signed in with a token or not. Answers are typed by method and path; bodies are not checked, so that tests can send malformed ones. */
export const createClient = (send: Send, token = "") => {
  const request =
    <Method extends "get" | "post" | "put" | "delete">(method: Method) =>
    <const Path extends string>(
      path: Path,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<TestResponse<AnswerOf<Method, Path>>> =>
      call(send, path, {
        method: method.toUpperCase(),
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
  return { get: request("get"), post: request("post"), put: request("put"), delete: request("delete") };
};

export type Client = ReturnType<typeof createClient>;
