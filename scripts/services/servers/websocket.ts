/**
 * A WebSocket server as a process of its own: PORT [CERTIFICATE KEY]. It greets, echoes what it is sent, and accepts the
 * subprotocol `chat`. /private is only for alice, and /plain has no WebSocket.
 */
const [port, certificate, key] = process.argv.slice(2);
const LOGIN = `Basic ${Buffer.from("alice:secret").toString("base64")}`;

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  ...(certificate && key && { tls: { cert: Bun.file(certificate), key: Bun.file(key) } }),
  fetch: (request, server) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/private" && request.headers.get("authorization") !== LOGIN)
      return new Response("", { status: 401 });
    if (pathname === "/plain") return new Response("no WebSocket here");
    const offered = request.headers.get("sec-websocket-protocol");
    const headers: Record<string, string> = offered === "chat" ? { "sec-websocket-protocol": "chat" } : {};
    return server.upgrade(request, { headers }) ? undefined : new Response("", { status: 400 });
  },
  websocket: {
    open: (socket) => void socket.send("hello"),
    message: (socket, message) => void socket.send(`you said ${message}`),
  },
});
