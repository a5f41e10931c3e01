import { timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import { type Family, type ReadFamilies, writeFamily } from "../../core/prometheus";
import { hashSecret } from "../../core/secrets";
import { EVERYTHING } from "../../db/owner";
import { describe } from "../../server/answers";
import { authenticate, bearerOf } from "../accounts/guard";
import { hubFamilies } from "./hub";

const isOperator = ({ config }: Deps, secret: string): boolean =>
  config.metricsToken !== "" &&
  timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(hashSecret(config.metricsToken)));

/** Writes one family at a time, so that other requests run in between. */
const writeFamilies = async ({ clock }: Deps, families: Family[]): Promise<string> => {
  const texts: string[] = [];
  for (const one of families) {
    texts.push(writeFamily(one));
    if (one.lines.length > 500) await clock.sleep(0);
  }
  return texts.join("");
};

/** Metrics for Prometheus: with METRICS_TOKEN of everything, with an API key or a session of what its user may see. */
export const metricsRoutes = (deps: Deps, modules: readonly ReadFamilies[]) =>
  new Elysia({ tags: ["System"] }).get(
    "/metrics",
    async ({ headers, request, server, route, set }) => {
      const access = isOperator(deps, bearerOf(headers.authorization))
        ? { user: EVERYTHING }
        : await authenticate(deps, request, { server, route });
      if (access instanceof AppError) throw access;
      const { user: viewer } = access;
      set.headers["content-type"] = "text/plain; version=0.0.4; charset=utf-8";
      const families = viewer.role === "admin" ? await hubFamilies(deps) : [];
      for (const read of modules) families.push(...(await read(deps, viewer)));
      return writeFamilies(deps, families);
    },
    {
      detail: describe({
        id: "getPrometheusMetrics",
        summary: "Get metrics for Prometheus",
        description:
          "Everything with METRICS_TOKEN or for administrators; your own monitors and servers for other users. Of more than 5,000 monitors or servers only the first have lines of their own.",
        access: "operator",
        answer: {
          type: "text/plain",
          example:
            '# HELP wakeful_monitor_up …\n# TYPE wakeful_monitor_up gauge\nwakeful_monitor_up{id="3",name="Payments API"} 1\n',
          description: "The Prometheus text format, version 0.0.4.",
        },
      }),
    },
  );
