import { resource } from "../../lib/resource";
import { listKeys, listSessions, me } from "./calls";

export const meAtom = resource(me);

export const sessionsAtom = resource(listSessions);

export const keysAtom = resource(listKeys);
