import { resource } from "../../lib/resource";
import { listKeys, me } from "./calls";

export const meAtom = resource(me);

export const keysAtom = resource(listKeys);
