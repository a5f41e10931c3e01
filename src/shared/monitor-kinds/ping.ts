import { hostField, invertedField } from "./common";
import { describeKind } from "./field";

const MAX_COUNT = 5;

/** A host that answers echo requests. */
export const ping = describeKind({
  kind: "ping",
  fields: [
    { ...hostField, placeholder: "192.168.1.1" },
    {
      name: "count",
      type: "number",
      min: 1,
      max: MAX_COUNT,
      default: 3,
      about: "The echo requests of a check.",
      accepts: `The echo requests of a check, of which one has to be answered: 1 to ${MAX_COUNT}; 3 by default.`,
      example: 3,
      label: "kinds.ping.count",
      hint: "kinds.ping.countHint",
    },
    {
      name: "max_loss",
      type: "number",
      min: 0,
      max: 99,
      unit: " percent",
      nullable: true,
      about: "The percentage of lost packets above which it is degraded; null for none.",
      accepts:
        "The percentage of lost packets, 0 to 99, above which the monitor is degraded, if that happens in three of its last five checks; null for none, which is the default.",
      example: 20,
      label: "kinds.ping.maxLoss",
      hint: "kinds.ping.maxLossHint",
    },
    invertedField,
  ],
  up: "kinds.ping.up",
  response: "kinds.ping.roundTrip",
  form: { target: ["host"], settings: ["count", "max_loss", "inverted"] },
  target: ({ host }) => host,
});
