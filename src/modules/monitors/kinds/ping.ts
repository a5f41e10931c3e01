import { t } from "elysia";
import { probePing } from "../../../probe/ping/ping";
import { integer, nullable, object, optional } from "../../../server/answers";
import { field, whole } from "../../../server/schema";
import { hostAnswer, hostField, hostnameOf, hostProblems, withoutBrackets } from "./host";
import { defineKind } from "./kind";

type PingFields = {
  host: string;
  count: number;
  /** The percentage of lost packets above which it is degraded; null, as when missing, for none. */
  max_loss?: number | null;
};

const MAX_COUNT = 5;

/** Checks that a host answers echo requests. */
export const ping = defineKind<PingFields>({
  kind: "ping",
  config: object({
    host: hostAnswer,
    count: integer("The echo requests of a check.", 3),
    max_loss: optional(
      nullable(integer("The percentage of lost packets above which it is degraded; null for none.", 20)),
    ),
  }),
  sent: t.Object({
    host: hostField,
    count: t.Optional(
      field(
        whole(1, MAX_COUNT),
        `The echo requests of a check, of which one has to be answered: 1 to ${MAX_COUNT}; 3 by default.`,
        3,
      ),
    ),
    max_loss: t.Optional(
      field(
        t.Union([whole(0, 99, " percent"), t.Null()]),
        "The percentage of lost packets, 0 to 99, above which the monitor is degraded, if that happens in three of its last five checks; null for none, which is the default.",
        20,
      ),
    ),
  }),
  sendsPackets: true,
  defaults: { count: 3 },
  problems: hostProblems,
  parse: (valid) => {
    const { host, ...rest } = valid as PingFields;
    return { ...rest, host: withoutBrackets(host) };
  },
  target: ({ host }) => host,
  host: ({ host }) => hostnameOf(host) ?? host,
  unavailable: async ({ pinger }) => ((await pinger.isAvailable()) ? null : "ping_unavailable"),
  probe: ({ host, count, max_loss }, { outbound, ...context }) =>
    probePing({ ...context, host: hostnameOf(host) ?? host, count, maxLoss: max_loss ?? null }, outbound),
});
