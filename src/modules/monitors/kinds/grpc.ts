import { t } from "elysia";
import { probeGrpc } from "../../../probe/grpc/probe";
import { object, optional, text } from "../../../server/answers";
import { field } from "../../../server/schema";
import { defaultDaysIf } from "../../../shared/certificate";
import { addressField, addressProblems, hostOfAddress } from "./address";
import { defineKind } from "./kind";

type GrpcFields = {
  url: string;
  /** Empty, as when missing, for the server as a whole. */
  service?: string;
};

/** Longest name of a service. */
const MAX_SERVICE = 200;

/** The procedure is always the same, and no login is sent. */
const hasOnlyOrigin = ({ pathname, search, hash, username, password }: URL) =>
  [pathname.replace(/^\/$/, ""), search, hash, username, password].every((part) => part === "");

/** Calls the standard health check of a gRPC server. */
export const grpc = defineKind<GrpcFields>({
  kind: "grpc",
  config: object({
    url: text("The address of the server; https for TLS.", "https://grpc.example.com:50051"),
    service: optional(text("The service that is asked for; empty for the server as a whole.", "shop.Orders")),
  }),
  sent: t.Object({
    url: addressField("http", "https", "https://grpc.example.com:50051"),
    service: t.Optional(
      field(
        t.String({
          maxLength: MAX_SERVICE,
          pattern: "^[\\w./-]*$",
          error: `expected the name of a service of at most ${MAX_SERVICE} letters, digits, dots, dashes, underscores and slashes`,
        }),
        "The service that is asked for, as the server names it; empty for the server as a whole.",
        "shop.Orders",
      ),
    ),
  }),
  defaults: {},
  problems: (sent) =>
    addressProblems(sent, "http", "https", (url) => (hasOnlyOrigin(url) ? null : "expected only a host and a port")),
  parse: (valid) => {
    const { url, service } = valid as GrpcFields;
    return { url: url.trim(), service: service?.trim() };
  },
  // As the path of the address, because alerts and lists show the target alone.
  target: ({ url, service }) => (service ? `${url.replace(/\/$/, "")}/${service}` : url),
  certificateSource: ({ url }) => url,
  host: ({ url }) => hostOfAddress(url),
  certificateDays: ({ url }) => defaultDaysIf(URL.parse(url)?.protocol === "https:"),
  probe: ({ url, service = "" }, { outbound, ...context }) => probeGrpc({ ...context, url, service }, outbound),
});
