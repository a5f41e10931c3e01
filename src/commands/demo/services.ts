import { systemClock } from "../../lib/time";
import { SERVICES } from "./inventory";

/** The difference of response times, as a part of the usual one. */
const VARIATION = 0.3;

/**
 * Starts the services that the demo monitors, on one port of this machine. From `letFail` on, those with a lasting incident fail.
 */
export const startServices = (): { address: string; letFail: () => void; stop: () => void } => {
  let isFailing = false;
  const byPath = new Map(SERVICES.map((service) => [`/${service.path}`, service]));
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const service = byPath.get(new URL(request.url).pathname);
      if (!service) return new Response("ok");
      await systemClock.sleep(service.latency * (1 + VARIATION * (Math.random() - 0.5)));
      const fails = isFailing && service.incidents?.some(({ to }) => to === undefined);
      return fails ? new Response("out of order", { status: 503 }) : new Response("ok");
    },
  });
  return {
    address: `http://127.0.0.1:${server.port}`,
    letFail: () => {
      isFailing = true;
    },
    stop: () => void server.stop(true),
  };
};
