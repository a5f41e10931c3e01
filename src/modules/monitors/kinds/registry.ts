import { type HttpFields, http } from "./http";
import type { AnyKind } from "./kind";
import { tcp } from "./tcp";

/** Every kind of monitor; the first is the one of a monitor that is sent without a kind. */
export const KINDS: [AnyKind, ...AnyKind[]] = [http, tcp];

/** The fields that stand beside the common ones where the kind is http. */
export type FlatFields = Partial<HttpFields>;

/** A kind by its name, or undefined: an instance of a newer version may have stored a kind that is unknown here. */
export const kindOf = (name: string): AnyKind | undefined => KINDS.find(({ kind }) => kind === name);
