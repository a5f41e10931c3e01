import { t } from "elysia";
import { probePing } from "../../../probe/ping/ping";
import { integer, object } from "../../../server/answers";
import { field, whole } from "../../../server/schema";
import { hostAnswer, hostField, hostnameOf, hostProblems, withoutBrackets } from "./host";
import { defineKind } from "./kind";

type PingFields = { host: string; count: number };

const MAX_COUNT = 5;

/** Checks that a host answers echo requests. */
export const ping = defineKind<PingFields>({
  kind: "ping",
  config: object({ host: hostAnswer, count: integer("The echo requests of a check.", 3) }),
  sent: t.Object({
    host: hostField,
    count: t.Optional(
      field(
        whole(1, MAX_COUNT),
        `The echo requests of a check, of which one has to be answered: 1 to ${MAX_COUNT}; 3 by default.`,
        3,
      ),
    ),
  }),
  defaults: { count: 3 },
  problems: hostProblems,
  parse: (valid) => {
    const { host, count } = valid as PingFields;
    return { host: withoutBrackets(host), count };
  },
  target: ({ host }) => host,
  host: ({ host }) => hostnameOf(host) ?? host,
  unavailable: async ({ pinger }) => ((await pinger.isAvailable()) ? null : "ping_unavailable"),
  probe: ({ host, count }, { outbound, ...context }) =>
    probePing({ ...context, host: hostnameOf(host) ?? host, count }, outbound),
});
