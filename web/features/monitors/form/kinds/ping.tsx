import { useTranslation } from "react-i18next";
import { text, whole } from "../../../../lib/form";
import { Field } from "../../../../ui/controls/field";
import type { Monitor } from "../../api";
import { HostField, invalidHost, splitHost } from "./fields/host-fields";
import type { KindView } from "./kind";

type PingFields = { host: string; count: number };
const fieldsOf = (monitor?: Monitor) => monitor?.config as PingFields | undefined;

const Target: KindView["Target"] = ({ monitor, wrong }) => (
  <HostField stored={fieldsOf(monitor)?.host} placeholder="192.168.1.1" wrong={wrong} />
);

const Settings: KindView["Settings"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  return (
    <Field label={t("kinds.ping.count")} hint={t("kinds.ping.countHint")} error={wrong("count")}>
      <input
        name="count"
        type="number"
        required
        min={1}
        max={5}
        step={1}
        defaultValue={fieldsOf(monitor)?.count ?? 3}
      />
    </Field>
  );
};

/** A host that answers echo requests. */
export const ping: KindView = {
  kind: "ping",
  label: (t) => t("kinds.ping.label"),
  question: (t) => t("kinds.ping.question"),
  hint: (t) => t("kinds.ping.hint"),
  upLabel: (t) => t("kinds.ping.up"),
  responseLabel: (t) => t("kinds.ping.roundTrip"),
  Target,
  Settings,
  settings: (t) => [t("kinds.ping.count")],
  complete: splitHost,
  invalid: invalidHost,
  nameOf: (form) => text(form, "host"),
  toConfig: (form) => ({ kind: "ping", config: { host: text(form, "host"), count: whole(form, "count") } }),
  facts: (monitor, t) => ({
    target: [
      { label: t("monitors.detail.kind"), value: t("kinds.ping.label") },
      { label: t("monitors.detail.host"), value: fieldsOf(monitor)?.host },
    ],
    rules: [{ label: t("kinds.ping.count"), value: fieldsOf(monitor)?.count }],
  }),
};
