import { defaultDaysIf } from "../certificate";
import { addressField, invertedField } from "./common";
import { describeKind } from "./field";

/** Longest name of a service. */
const MAX_SERVICE = 200;

/** The procedure is always the same, and no login is sent. */
const hasOnlyOrigin = ({ pathname, search, hash, username, password }: URL) =>
  [pathname.replace(/^\/$/, ""), search, hash, username, password].every((part) => part === "");

/** The standard health check of a gRPC server. */
export const grpc = describeKind({
  kind: "grpc",
  fields: [
    {
      ...addressField(["http", "https"]),
      alias: "grpc",
      refused: (url: URL) => (hasOnlyOrigin(url) ? null : "expected only a host and a port"),
      about: "The address of the server; https for TLS.",
      example: "https://grpc.example.com:50051",
      placeholder: "https://grpc.example.com:50051",
      label: "kinds.grpc.address",
      wrong: "kinds.grpc.wrong",
    },
    {
      name: "service",
      type: "text",
      maxLength: MAX_SERVICE,
      pattern: "^[\\w./-]*$",
      expected: `the name of a service of at most ${MAX_SERVICE} letters, digits, dots, dashes, underscores and slashes`,
      about: "The service that is asked for; empty for the server as a whole.",
      accepts: "The service that is asked for, as the server names it; empty for the server as a whole.",
      example: "shop.Orders",
      placeholder: "shop.Orders",
      label: "kinds.grpc.service",
      hint: "kinds.grpc.serviceHint",
      wrong: "kinds.grpc.serviceWrong",
      none: "kinds.grpc.whole",
    },
    invertedField,
  ],
  up: "kinds.grpc.up",
  form: { target: ["url", "service"], settings: ["inverted"] },
  // As the path of the address, because alerts and lists show the target alone.
  target: ({ url, service }) => (service ? `${url.replace(/\/$/, "")}/${service}` : url),
  certificateSource: ({ url }) => url,
  certificateDays: ({ url }) => defaultDaysIf(URL.parse(url)?.protocol === "https:"),
});
