import { openClient } from "./client";

/** Connection timeout in seconds. */
const CONNECTION_TIMEOUT = 5;

/**
 * Receives the notifications of a channel on a connection of its own, which is opened again when it is lost.
 * `onListening` is called each time it receives. Returns a function that ends it.
 */
export type Listen = (
  channel: string,
  onMessage: (text: string) => void,
  onListening: () => void,
) => Promise<() => Promise<void>>;

/** Listens on a database by its own address, because a transaction pooler passes no notifications on. */
export const createListen =
  (url: string): Listen =>
  async (channel, onMessage, onListening) => {
    const client = openClient({ url, max: 1, connectionTimeout: CONNECTION_TIMEOUT });
    const close = () => client.close({ timeout: 0 });
    await client.listen(channel, onMessage, onListening).catch(async (error) => {
      await close();
      throw error;
    });
    return close;
  };
