import { api, payload } from "../../api";
import { resource } from "../../lib/resource";

const listPingKeys = () => payload(api["ping-keys"].get());
export type PingKey = Awaited<ReturnType<typeof listPingKeys>>["keys"][number];

export const pingKeysAtom = resource(listPingKeys);

/** Creates a ping key: random, or as it is in another product. */
export const createPingKey = (key?: string) => payload(api["ping-keys"].post(key ? { key } : {}));

export const revokePingKey = (id: number) => payload(api["ping-keys"]({ id }).delete());
