import { text, whole } from "../../../../lib/form";
import type { Monitor } from "../../api";
import { HostField, invalidHost, PortField, splitHost } from "./host-fields";
import type { KindView } from "./kind";

type TcpFields = { host: string; port: number };
const fieldsOf = (monitor?: Monitor) => monitor?.config as TcpFields | undefined;

const Target: KindView["Target"] = ({ monitor, wrong }) => (
  <div className="host-port">
    <HostField stored={fieldsOf(monitor)?.host} wrong={wrong} />
    <PortField stored={fieldsOf(monitor)?.port} wrong={wrong} />
  </div>
);

/** A TCP port. */
export const tcp: KindView = {
  kind: "tcp",
  label: (t) => t("kinds.tcp.label"),
  question: (t) => t("kinds.tcp.question"),
  hint: (t) => t("kinds.tcp.hint"),
  Target,
  complete: splitHost,
  invalid: invalidHost,
  nameOf: (form) => text(form, "host"),
  toConfig: (form) => ({ kind: "tcp", config: { host: text(form, "host"), port: whole(form, "port") } }),
  facts: (monitor, t) => ({
    target: [
      { label: t("monitors.detail.kind"), value: t("kinds.tcp.label") },
      { label: t("monitors.detail.host"), value: fieldsOf(monitor)?.host },
      { label: t("monitors.detail.port"), value: fieldsOf(monitor)?.port },
    ],
  }),
};
