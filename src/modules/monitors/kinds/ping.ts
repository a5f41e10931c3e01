import { probePing } from "../../../probe/ping/ping";
import { hostnameOf } from "../../../shared/monitor-kinds/host";
import { ping as fields } from "../../../shared/monitor-kinds/ping";
import { defineKind } from "./kind";

/** Checks that a host answers echo requests. */
export const ping = defineKind(fields, {
  sendsPackets: true,
  unavailable: async ({ pinger }) => ((await pinger.isAvailable()) ? null : "ping_unavailable"),
  probe: ({ host, count, max_loss }, { outbound, ...context }) =>
    probePing({ ...context, host: hostnameOf(host) ?? host, count, maxLoss: max_loss ?? null }, outbound),
});
