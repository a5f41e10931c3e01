import type { OpenApiDocument } from "../../modules/docs/document";
import type { TestApp } from "../app";
import { call, type TestResponse } from "../client";
import { problemsOf } from "../json-schema";
import { mismatches } from "../openapi";
import type { FuzzRequest } from "./requests";
import { CANARY, type FuzzWorld } from "./world";

/** Refusals of any call for an unexpected body or query. */
const GENERAL = ["400 malformed_json", "422 validation"];

/** Sends a request as its actor, and returns the answer. */
export const sendFuzz = (app: Pick<TestApp, "send">, world: FuzzWorld, request: FuzzRequest): Promise<TestResponse> => {
  const { key, actor, path, id, headers, body } = request;
  const [method = ""] = key.split(" ");
  const secret = world.secretOf(actor);
  return call(app.send, path.replace("{id}", world.idOf(actor, path, id)), {
    method,
    headers: { ...headers, ...(secret && { authorization: `Bearer ${secret}` }) },
    ...(method !== "GET" && body !== undefined && { body }),
  });
};

/** The violations of the document and of privacy in an answer, one line each. */
export const violationsOf = (document: OpenApiDocument, request: FuzzRequest, answer: TestResponse): string[] => {
  const { key, actor } = request;
  const { status, headers, body, text } = answer;
  const violations: string[] = [];
  if (status >= 500 && body.code !== "provider_refused")
    violations.push(`${key} answers ${status}: ${text.slice(0, 200)}`);
  const seen = `${text} ${JSON.stringify([...headers])}`;
  if (actor !== "alice" && seen.includes(CANARY)) violations.push(`${key} shows ${actor} another user's data`);
  if (GENERAL.includes(`${status} ${body.code}`)) {
    const { schemas } = document.components;
    return [...violations, ...problemsOf(body, { $ref: "#/components/schemas/Refusal" }, schemas)];
  }
  return [...violations, ...mismatches(document, key, answer)];
};
