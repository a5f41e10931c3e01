import type { OpenApiDocument } from "../../../src/modules/docs/document";
import type { Schema } from "../../../src/modules/docs/json-schema";

export type Document = OpenApiDocument;
export type Field = {
  name: string;
  place: string;
  type: string;
  required: boolean;
  description: string;
  depth: number;
};
export type Response = {
  description: string;
  content?: Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }>;
};
export type Call = Document["paths"][string][string] & { method: string; path: string };

/** Every call of a document, in its order. */
export const callsOf = ({ paths }: Document): Call[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

/** The responses of a call by status, without those that every call may have. */
export const responsesOf = ({ responses }: Call): [status: string, Response][] =>
  Object.entries(responses as unknown as Record<string, Response>).filter(([status]) => status !== "default");

/** The text of a call that a search looks through: in English, and as `translated`. */
export const textOf = ({ method, path, summary, description = "", operationId }: Call, translated: string): string =>
  `${method} ${path} ${summary} ${description} ${operationId} ${translated}`.toLowerCase();

/** The address that paths are below, without a slash at the end. A relative one is resolved against `here`. */
export const originOf = ({ servers }: Document, here: string): string =>
  new URL(servers[0]?.url ?? "/", here).href.replace(/\/+$/, "");

/** A text as a POSIX shell takes it literally. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The call's example as a command for a shell; the token or key stands in a variable. */
export const curlOf = (call: Call, origin: string): string => {
  const { method, path, parameters = [], requestBody, security } = call;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(parameters.find((one) => one.name === name)?.example)),
  );
  const query = parameters
    .filter((one) => one.in === "query" && one.example !== undefined)
    .map((one) => `${one.name}=${encodeURIComponent(String(one.example))}`);
  const address = origin + filled + (query.length > 0 ? `?${query.join("&")}` : "");
  const { example, examples = {} } = requestBody?.content["application/json"] ?? {};
  const body = example ?? Object.values(examples)[0]?.value;
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quote(address)}`,
    ...(security.length > 0
      ? [`-H "Authorization: Bearer $${"agentKey" in (security[0] ?? {}) ? "AGENT_KEY" : "TOKEN"}"`]
      : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body, null, 2))}`] : []),
  ].join(" \\\n  ");
};
