import { dns } from "./dns";
import { domain } from "./domain";
import { grpc } from "./grpc";
import { heartbeat } from "./heartbeat";
import { type HttpFields, http } from "./http";
import type { AnyKind } from "./kind";
import { ping } from "./ping";
import { tcp } from "./tcp";
import { tls } from "./tls";
import { websocket } from "./websocket";

/** All monitor kinds; the first is the default of a request without a kind. */
export const KINDS: [AnyKind, ...AnyKind[]] = [http, tcp, tls, dns, ping, heartbeat, websocket, grpc, domain];

/** The fields that are beside the common ones for http. */
export type FlatFields = Partial<HttpFields>;

/** Finds a kind by name; undefined for the kind of a newer version. */
export const kindOf = (name: string): AnyKind | undefined => KINDS.find(({ kind }) => kind === name);
