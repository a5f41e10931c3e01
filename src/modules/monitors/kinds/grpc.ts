import { probeGrpc } from "../../../probe/grpc/probe";
import { grpc as fields } from "../../../shared/monitor-kinds/grpc";
import { defineKind } from "./kind";

/** Calls the standard health check of a gRPC server. */
export const grpc = defineKind(fields, {
  probe: ({ url, service = "" }, { outbound, ...context }) => probeGrpc({ ...context, url, service }, outbound),
});
