/** Targets that answer as cheaply as possible, so that only the hub is measured. */
const answer = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";

const ports = Array.from({ length: Number(process.argv[2]) }, () => {
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data: (socket) => {
        socket.end(answer);
      },
    },
  });
  return server.port;
});
console.log(JSON.stringify(ports));
