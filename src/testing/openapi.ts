import type { ErrorCode } from "../core/errors";
import type { OpenApiDocument } from "../modules/docs/document";
import type { Schema } from "../modules/docs/json-schema";
import type { TestApp } from "./app";
import type { TestResponse } from "./client";
import { problemsOf } from "./json-schema";

type Content = { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
type Response = { description: string; content?: Record<string, Content> };

export const readDocument = async ({ anybody }: Pick<TestApp, "anybody">): Promise<OpenApiDocument> =>
  JSON.parse((await anybody.get("/api/openapi.json")).text);

/** Every operation of a document, as `METHOD /path`. */
export const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ key: `${method.toUpperCase()} ${path}`, operation })),
  );

/** The first example of the body of an operation. */
export const bodyExampleOf = (operation: ReturnType<typeof operationsOf>[number]["operation"] | undefined) => {
  const { example, examples = {} } = operation?.requestBody?.content["application/json"] ?? {};
  return example ?? Object.values(examples)[0]?.value;
};

export const responsesOf = ({ operation }: ReturnType<typeof operationsOf>[number]) =>
  operation.responses as unknown as Record<string, Response>;

/** The differences between an answer and the document's description of its call, one line each. */
export const mismatches = (
  document: OpenApiDocument,
  key: string,
  { status, headers, body, text }: TestResponse,
): string[] => {
  const found = operationsOf(document).find((one) => one.key === key);
  const response = found && responsesOf(found)[status];
  if (!response) return [`${key} answers ${status} ${body.code ?? ""}, which is undocumented`];
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  const content = response.content?.[type];
  if (!content) return response.content ? [`${key} answers ${type}, which is undocumented`] : [];
  if (!type.endsWith("json")) return [];
  const problems = problemsOf(JSON.parse(text), content.schema ?? {}, document.components.schemas);
  const codes = content.examples && (Object.keys(content.examples) as ErrorCode[]);
  if (codes && !codes.includes(body.code as ErrorCode)) problems.push(`${body.code} is not among ${codes}`);
  return problems.map((problem) => `${key} ${status}: ${problem}`);
};
