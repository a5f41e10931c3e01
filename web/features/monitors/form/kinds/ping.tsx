import { useTranslation } from "react-i18next";
import { text, whole } from "../../../../lib/form";
import { Field } from "../../../../ui/controls/field";
import type { Monitor } from "../../api";
import { HostField, invalidHost, splitHost } from "./fields/host-fields";
import type { KindView } from "./kind";

type PingFields = { host: string; count: number; max_loss?: number | null };
const fieldsOf = (monitor?: Monitor) => monitor?.config as PingFields | undefined;

const Target: KindView["Target"] = ({ monitor, wrong }) => (
  <HostField stored={fieldsOf(monitor)?.host} placeholder="192.168.1.1" wrong={wrong} />
);

const Settings: KindView["Settings"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  const { count = 3, max_loss } = fieldsOf(monitor) ?? {};
  return (
    <>
      <Field label={t("kinds.ping.count")} hint={t("kinds.ping.countHint")} error={wrong("count")}>
        <input name="count" type="number" required min={1} max={5} step={1} defaultValue={count} />
      </Field>
      <Field label={t("kinds.ping.maxLoss")} hint={t("kinds.ping.maxLossHint")} error={wrong("max_loss")}>
        <input name="max_loss" type="number" min={0} max={99} step={1} defaultValue={max_loss ?? ""} />
      </Field>
    </>
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
  settings: (t) => [t("kinds.ping.count"), t("kinds.ping.maxLoss")],
  complete: splitHost,
  invalid: invalidHost,
  nameOf: (form) => text(form, "host"),
  toConfig: (form) => ({
    kind: "ping",
    config: {
      host: text(form, "host"),
      count: whole(form, "count"),
      max_loss: text(form, "max_loss") === "" ? null : whole(form, "max_loss"),
    },
  }),
  facts: (monitor, t) => ({
    target: [
      { label: t("monitors.detail.kind"), value: t("kinds.ping.label") },
      { label: t("monitors.detail.host"), value: fieldsOf(monitor)?.host },
    ],
    rules: [
      { label: t("kinds.ping.count"), value: fieldsOf(monitor)?.count },
      ...(fieldsOf(monitor)?.max_loss == null
        ? []
        : [{ label: t("kinds.ping.maxLoss"), value: fieldsOf(monitor)?.max_loss }]),
    ],
  }),
};
