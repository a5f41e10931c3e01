/**
 * Starts a hub that enrolls every agent and gives the other calls what `answer` returns for the number of the call. `seen` holds
 * their paths.
 */
export const serveHostileHub = (answer: (nth: number) => Response) => {
  const seen: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      await request.arrayBuffer();
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/register"))
        return Response.json({ success: true, agent: { id: 7 }, key: "wka_key" }, { status: 201 });
      return answer(seen.push(pathname) - 1);
    },
  });
  return { seen, port: Number(server.port), stop: () => server.stop(true) };
};
