import type { FieldError } from "../core/errors";
import type { MetricPoint } from "../modules/agents/history/series";
import type { presentAgent, presentAgentDetail } from "../modules/agents/present";
import type { countAgents } from "../modules/agents/service";
import type { listKeys } from "../modules/auth/keys/service";
import type { readSecurityLog } from "../modules/auth/security/read";
import type { presentUser } from "../modules/auth/service";
import type { listSessions } from "../modules/auth/sessions/service";
import type { Point } from "../modules/monitors/history/series";
import type { Uptimes } from "../modules/monitors/history/uptime";
import type { Counts } from "../modules/monitors/list";
import type { presentCheck, presentMonitor } from "../modules/monitors/present";
import type { channelForms } from "../modules/notifications/channels/registry";
import type { listChannels } from "../modules/notifications/channels/service";
import type { readEvents } from "../modules/notifications/history";
import type { listTemplates } from "../modules/notifications/messages/templates";
import type { readSettings } from "../modules/notifications/rules/service";
import type { readQuotas } from "../modules/quotas/service";
import type { countOwned } from "../modules/users/service";

type Check = ReturnType<typeof presentCheck>;
type Monitor = ReturnType<typeof presentMonitor> & { checks: Check[]; uptimes: Uptimes };

type Token = { id: number; created_at: string; expires_at: string; used: boolean };

/** Every named payload of the API's answers; which of them an answer has is for the test to say. */
export type Body = {
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
  owns: Awaited<ReturnType<typeof countOwned>>;
  sessions: Awaited<ReturnType<typeof listSessions>>;
  ended: number;
  entries: Awaited<ReturnType<typeof readSecurityLog>>["entries"];
  keys: Awaited<ReturnType<typeof listKeys>>;
  monitor: Monitor;
  monitors: Monitor[];
  agent: ReturnType<typeof presentAgentDetail>;
  agents: ReturnType<typeof presentAgent>[];
  key: string;
  accepted: number;
  expires_at: string;
  total: number;
  counts: Counts & Partial<Awaited<ReturnType<typeof countAgents>>>;
  check: Check;
  checks: Check[];
  next: number | null;
  points: (Point & Partial<MetricPoint>)[];
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
  };
  events: Awaited<ReturnType<typeof readEvents>>["events"];
};

export type TestResponse = { status: number; headers: Headers; text: string; body: Body };
export type Send = (request: Request) => Response | Promise<Response>;

const ORIGIN = "http://localhost";

const parse = (text: string): Body => {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {} as Body;
  }
};

/** Sends one request and reads its whole answer. */
export const call = async (send: Send, path: string, init: RequestInit = {}): Promise<TestResponse> => {
  const response = await send(new Request(new URL(path, ORIGIN), init));
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
};

/** Somebody who talks to the API: signed in with a token, or not. */
export const createClient = (send: Send, token = "") => {
  const request =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
      call(send, path, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
  return { get: request("GET"), post: request("POST"), put: request("PUT"), delete: request("DELETE") };
};

export type Client = ReturnType<typeof createClient>;
