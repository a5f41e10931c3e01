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

/** Every call of a document, in the order in which it is written. */
export const callsOf = ({ paths }: Document): Call[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

/** What a call answers, by status, but for the trouble that every call may answer. */
export const responsesOf = ({ responses }: Call): [status: string, Response][] =>
  Object.entries(responses as unknown as Record<string, Response>).filter(([status]) => status !== "default");

/** The words by which a call is found. */
export const wordsOf = ({ method, path, summary, description = "", operationId }: Call): string =>
  `${method} ${path} ${summary} ${description} ${operationId}`.toLowerCase();

/** How a browser's own form of an address begins: relative ones go by where the page is. */
export const originOf = ({ servers }: Document, here: string): string =>
  new URL(servers[0]?.url ?? "/", here).href.replace(/\/+$/, "");
