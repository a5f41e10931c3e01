import type { Message } from "./compare";

/** Collects messages of a webhook, each about one event, and of a chat, which groups them. */
export const startReceiver = (address: string) => {
  const messages: Message[] = [];
  const grouped: string[] = [];
  const server = Bun.serve({
    hostname: address,
    port: 0,
    routes: {
      "/webhook": async (request) => {
        const { target, event, title, text } = (await request.json()) as {
          target: { name: string } | null;
          event: string;
          title: string;
          text: string;
        };
        messages.push({ name: target?.name ?? title, event, text, at: Date.now() });
        return new Response("thanks");
      },
      "/chat": async (request) => {
        const { attachments } = (await request.json()) as { attachments: { text: string }[] };
        grouped.push(attachments.map(({ text }) => text).join("\n"));
        return new Response("ok");
      },
    },
  });
  return { messages, grouped, origin: `http://${address}:${server.port}`, stop: () => server.stop(true) };
};

export type Receiver = ReturnType<typeof startReceiver>;
