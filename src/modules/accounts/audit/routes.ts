import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, integer, list, nullable, ok } from "../../../server/answers";
import { parseSpan } from "../../../server/schema";
import { signedIn } from "../guard";
import { auditQuery } from "./model";
import { Change, parseObjects, readChanges } from "./read";

/** The log of changes, for members of a team and administrators. */
export const auditRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api", tags: ["Accounts"] }).use(signedIn(deps)).get(
    "/audit",
    async ({ user, query: { object, from, to, ...query } }) => {
      const objects = object === undefined ? [] : parseObjects(object);
      const span = parseSpan({ ...(from && { from }), ...(to && { to }) });
      return { success: true as const, ...(await readChanges(deps, user, { ...query, ...span, objects })) };
    },
    {
      query: auditQuery,
      detail: describe({
        id: "listChanges",
        summary: "List changes",
        description:
          "Who created, changed or deleted what in your teams, newest first, for RETENTION_AUDIT_DAYS. Header values, bodies, passwords, keys and the secrets of channels are never in it, and addresses are without user information and query values. Changes that one call makes to many objects are one entry, unless `object` asks for one of them.",
        access: "user",
        answer: {
          description: "A page of the log.",
          schema: ok({
            changes: list(Change),
            next: nullable(integer("`before` of the next page; null on the last one.", 17)),
          }),
        },
      }),
    },
  );
