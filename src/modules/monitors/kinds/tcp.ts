import { t } from "elysia";
import { probeTcp } from "../../../probe/tcp";
import { object } from "../../../server/answers";
import {
  hostAndPort,
  hostAnswer,
  hostField,
  hostnameOf,
  hostProblems,
  portAnswer,
  portField,
  withoutBrackets,
} from "./host";
import { defineKind } from "./kind";

type TcpFields = { host: string; port: number };

/** Checks that a TCP port accepts connections. */
export const tcp = defineKind<TcpFields>({
  kind: "tcp",
  config: object({ host: hostAnswer, port: portAnswer }),
  sent: t.Object({ host: hostField, port: portField }),
  defaults: {},
  problems: hostProblems,
  parse: (valid) => {
    const { host, port } = valid as TcpFields;
    return { host: withoutBrackets(host), port };
  },
  target: ({ host, port }) => hostAndPort(host, port),
  host: ({ host }) => hostnameOf(host) ?? host,
  probe: ({ host, port }, { outbound, ...context }) =>
    probeTcp({ ...context, host: hostnameOf(host) ?? host, port }, outbound),
});
