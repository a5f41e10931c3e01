import { timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import { hashSecret } from "../../core/secrets";
import { authenticate, bearerOf } from "../auth/guard";
import { agentFamilies } from "./agents";
import { hubFamilies } from "./hub";
import { monitorFamilies } from "./monitors";
import { type Family, writeFamily } from "./text";

/** Whoever holds the operator's token sees what an administrator sees, and is no user. */
const OPERATOR = { id: 0, role: "admin" } as const;

const isOperator = ({ config }: Deps, secret: string): boolean =>
  config.metricsToken !== "" &&
  timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(hashSecret(config.metricsToken)));

/** Family by family, so that what waits for its turn gets it in between. */
const write = async ({ clock }: Deps, families: Family[]): Promise<string> => {
  const texts: string[] = [];
  for (const one of families) {
    texts.push(writeFamily(one));
    if (one.lines.length > 500) await clock.sleep(0);
  }
  return texts.join("");
};

/** For Prometheus: by METRICS_TOKEN all there is, by an API key or a session what its user may see. */
export const metricsRoutes = (deps: Deps) =>
  new Elysia().get("/metrics", async ({ headers, request, server, set }) => {
    const known = isOperator(deps, bearerOf(headers.authorization))
      ? { user: OPERATOR }
      : await authenticate(deps, request, server);
    if (known instanceof AppError) throw known;
    const { user: viewer } = known;
    set.headers["content-type"] = "text/plain; version=0.0.4; charset=utf-8";
    return write(deps, [
      ...(viewer.role === "admin" ? await hubFamilies(deps) : []),
      ...(await monitorFamilies(deps, viewer)),
      ...(await agentFamilies(deps, viewer)),
    ]);
  });
