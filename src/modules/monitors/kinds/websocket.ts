import { probeWebSocket } from "../../../probe/websocket/probe";
import { websocket as fields } from "../../../shared/monitor-kinds/websocket";
import { defineKind } from "./kind";

/** Checks that a server accepts WebSocket connections, and that it sends a message as expected. */
export const websocket = defineKind(fields, {
  probe: ({ subprotocol = "", send = "", expect = "", url }, { outbound, ...context }) =>
    probeWebSocket({ ...context, url, subprotocol, send, expect }, outbound),
});
