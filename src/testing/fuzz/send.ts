import type { OpenApiDocument } from "../../modules/docs/document";
import type { TestApp } from "../app";
import { call, type TestResponse } from "../client";
import { problemsOf } from "../json-schema";
import { mismatches } from "../openapi";
import type { FuzzRequest } from "./requests";
import { CANARY, type FuzzWorld } from "./world";

/** What any call may say to a body or a query that it did not ask for. */
const GENERAL = ["400 malformed_json", "422 validation"];

/** Sends a request as its actor, and gives the whole answer. */
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

/** In what an answer is not as it has to be, a line for each. */
export const complaintsAbout = (document: OpenApiDocument, request: FuzzRequest, answer: TestResponse): string[] => {
  const { key, actor } = request;
  const { status, headers, body, text } = answer;
  const complaints: string[] = [];
  if (status >= 500 && body.code !== "provider_refused")
    complaints.push(`${key} answers ${status}: ${text.slice(0, 200)}`);
  const seen = `${text} ${JSON.stringify([...headers])}`;
  if (actor !== "alice" && seen.includes(CANARY)) complaints.push(`${key} shows ${actor} what is somebody else's`);
  if (GENERAL.includes(`${status} ${body.code}`)) {
    const { schemas } = document.components;
    return [...complaints, ...problemsOf(body, { $ref: "#/components/schemas/Refusal" }, schemas)];
  }
  return [...complaints, ...mismatches(document, key, answer)];
};
