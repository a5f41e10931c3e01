type Sent = { token: string; chat_id: string; text: string };

/** A fake Bot API that records messages and rejects the given bots. */
export const startTelegram = (unknown: (token: string) => boolean = () => false) => {
  const sent: Sent[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const [, token = ""] = /^\/bot([^/]+)\/sendMessage$/.exec(new URL(request.url).pathname) ?? [];
      if (unknown(token))
        return Response.json({ ok: false, error_code: 401, description: "Unauthorized" }, { status: 401 });
      sent.push({ ...((await request.json()) as Omit<Sent, "token">), token });
      return Response.json({ ok: true, result: { message_id: sent.length } });
    },
  });
  return { origin: server.url.origin, sent, stop: () => server.stop(true) };
};
