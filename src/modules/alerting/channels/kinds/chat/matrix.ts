import { channelKind } from "../../kind";
import { accepted, secondsOf } from "../../verdict";
import { HEADER_TEXT, serverUrl } from "../fields";

/** @see https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid */
export const matrix = channelKind({
  kind: "matrix",
  icon: "M7 4H4v16h3M17 4h3v16h-3M9 15v-5M9 11.5c0-2 3-2 3 0V15M12 11.5c0-2 3-2 3 0V15",
  quotesAnswer: false,
  fields: [
    serverUrl("the address of a homeserver", "https://matrix.example.org"),
    {
      name: "accessToken",
      label: "access token",
      type: "text",
      required: true,
      secret: true,
      maxLength: 1000,
      ...HEADER_TEXT,
      example: "syt_…",
      sentTo: "server",
    },
    {
      name: "room",
      label: "room id",
      type: "text",
      required: true,
      maxLength: 255,
      pattern: "![^\\s/?#]+",
      expected: "an id that starts with !",
      example: "!abcdefg:example.org",
    },
  ],
  text: { flavour: "plain", limit: 20_000 },
  // What Synapse takes unless it is set up for more.
  budget: [{ messages: 9, seconds: 45 }],

  // With the same transaction id, the homeserver drops a second copy.
  request: ({ server = "", accessToken, room = "" }, { text }, { key }) => ({
    url: `${server.replace(/\/+$/, "")}/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(key)}`,
    method: "PUT",
    chosenBy: "user",
    headers: { authorization: `Bearer ${accessToken}` },
    body: { msgtype: "m.text", body: text },
  }),

  verdict: (reply) => {
    const { json } = reply;
    const retryAfter = secondsOf(Number(json?.retry_after_ms) / 1000) ?? reply.retryAfter;
    return accepted({ ...reply, retryAfter }, typeof json?.event_id === "string", json?.error);
  },
});
