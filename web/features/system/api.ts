import { api, payload } from "../../api";
import { resource } from "../../lib/resource";

export type System = Awaited<ReturnType<typeof readSystem>>;
export type Attention = System["attention"][number];

const readSystem = () => payload(api.system.get());

export const systemAtom = resource(readSystem);
