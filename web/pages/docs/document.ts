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
