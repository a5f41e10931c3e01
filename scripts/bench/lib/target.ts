/** Targets that answer as cheaply as possible, so that only the hub is measured. */
const options = JSON.parse(process.argv[2] ?? "{}") as { ports: number; hang?: boolean; delay?: number };
const answer = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";

const ports = Array.from({ length: options.ports }, () => {
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data: (socket) => {
        if (options.hang) return;
        if (options.delay) setTimeout(() => socket.end(answer), options.delay);
        else socket.end(answer);
      },
    },
  });
  return server.port;
});
console.log(JSON.stringify(ports));
