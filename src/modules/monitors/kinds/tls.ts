import { probeTls } from "../../../probe/tls/probe";
import { hostnameOf } from "../../../shared/monitor-kinds/host";
import { tls as fields } from "../../../shared/monitor-kinds/tls";
import { defineKind } from "./kind";

/** Checks the certificate of a port with any protocol. */
export const tls = defineKind(fields, {
  probe: ({ host, port, starttls, server_name, fingerprint }, { outbound, ...context }) =>
    probeTls(
      {
        ...context,
        host: hostnameOf(host) ?? host,
        port,
        starttls,
        serverName: server_name && hostnameOf(server_name),
        fingerprint,
      },
      outbound,
    ),
});
