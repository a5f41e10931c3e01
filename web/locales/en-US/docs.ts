import type { Words } from "../zh-CN";
import type { docs as zhCN } from "../zh-CN/docs";
import { common } from "./common";

export const docs: Words<typeof zhCN> = {
  title: "API",
  about: "Everything that the page does, programs can do too.",
  document: "OpenAPI document",
  secrets: "Authorization",
  secretsAbout: "Send one of these as `Authorization: Bearer …`.",
  unavailable:
    "Any call may also answer `500` `internal` and `503` `unavailable`, `database_full` or `database_read_only`, when the server itself has a problem.",
  search: "Search calls",
  contents: "Calls",
  found_one: "{{count}} call",
  found_other: "{{count}} calls",
  nothing: "No call matches.",
  failed: "The document could not be loaded.",
  parameters: "Parameters",
  body: "Body",
  request: "Example request",
  answers: "Answers",
  fields: "Fields",
  example: "Example",
  required: "required",
  places: { path: "in the path", query: "in the query" },
  access: {
    public: "Public",
    user: "With a session or an API key",
    session: "With a session only",
    admin: "For administrators, with a session or an API key",
    adminSession: "For administrators, with a session only",
    agent: "With an agent's own key",
    operator: "With METRICS_TOKEN, a session or an API key",
  },
  // The document is in English.
  introduction: {},
  tags: {},
  parts: {},
  schemes: {},
};

/** The texts of the API page with those that it shares with the console. */
export const docsPage = { common, docs };
