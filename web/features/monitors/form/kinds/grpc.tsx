import { useTranslation } from "react-i18next";
import { defaultDaysIf } from "../../../../../src/shared/certificate";
import { text } from "../../../../lib/form";
import { hostOf, isWebAddress, withScheme } from "../../../../lib/web-address";
import { Field } from "../../../../ui/controls/field";
import type { Monitor } from "../../api";
import { AddressField, completeAddress } from "./fields/address-field";
import type { KindView } from "./kind";

type GrpcFields = { url: string; service?: string };
const fieldsOf = (monitor?: Monitor) => monitor?.config as GrpcFields | undefined;

/** Adds a missing scheme, and replaces that of gRPC clients. */
const asAddress = (typed: string): string => withScheme(typed).replace(/^grpc(?=s?:\/\/)/i, "http");

/** Whether an address has only a host and a port. */
const isOrigin = (address: string) => {
  const url = isWebAddress(address) ? URL.parse(address) : null;
  return url !== null && url.href === `${url.origin}/`;
};

const Target: KindView["Target"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  const stored = fieldsOf(monitor);
  return (
    <>
      <AddressField
        label={t("kinds.grpc.address")}
        stored={stored?.url}
        placeholder="https://grpc.example.com:50051"
        error={wrong("url") && t("kinds.grpc.wrong")}
        complete={asAddress}
      />
      <Field
        label={t("kinds.grpc.service")}
        hint={t("kinds.grpc.serviceHint")}
        optional
        error={wrong("service") && t("kinds.grpc.serviceWrong")}
      >
        <input
          name="service"
          type="text"
          maxLength={200}
          defaultValue={stored?.service ?? ""}
          placeholder="shop.Orders"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
    </>
  );
};

/** The health check of a gRPC server. */
export const grpc: KindView = {
  kind: "grpc",
  label: (t) => t("kinds.grpc.label"),
  question: (t) => t("kinds.grpc.question"),
  hint: (t) => t("kinds.grpc.hint"),
  upLabel: (t) => t("kinds.grpc.up"),
  Target,
  complete: (form) => completeAddress(form, asAddress),
  invalid: (form) => [
    ...(isOrigin(asAddress(text(form, "url"))) ? [] : ["url"]),
    ...(/^[\w./-]*$/.test(text(form, "service")) ? [] : ["service"]),
  ],
  nameOf: (form) => hostOf(asAddress(text(form, "url"))),
  // A service that was never filled in is left out, and one that was emptied is sent as empty.
  toConfig: (form, monitor) => {
    const service = text(form, "service");
    const isGiven = service !== "" || fieldsOf(monitor)?.service !== undefined;
    return { kind: "grpc", config: { url: asAddress(text(form, "url")), ...(isGiven && { service }) } };
  },
  certificateDays: (monitor) => defaultDaysIf(/^https:/i.test(fieldsOf(monitor)?.url ?? "")),
  facts: (monitor, t) => {
    const { url, service } = fieldsOf(monitor) ?? ({} as GrpcFields);
    return {
      target: [
        { label: t("monitors.detail.kind"), value: t("kinds.grpc.label") },
        { label: t("kinds.grpc.address"), value: url },
        { label: t("kinds.grpc.service"), value: service || t("kinds.grpc.whole") },
      ],
    };
  },
};
