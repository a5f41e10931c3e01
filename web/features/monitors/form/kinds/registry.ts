import { dns } from "./dns";
import { grpc } from "./grpc";
import { heartbeat } from "./heartbeat";
import { http } from "./http";
import type { KindView } from "./kind";
import { ping } from "./ping";
import { tcp } from "./tcp";
import { tls } from "./tls";
import { websocket } from "./websocket";

/** Every monitor kind, in the order of the form. The first one is the default. */
export const KINDS: [KindView, ...KindView[]] = [http, heartbeat, ping, tcp, tls, dns, websocket, grpc];

const Nothing: KindView["Target"] = () => null;

/** A kind that only a newer hub knows, shown by its name and target. */
const unknown = (kind: string): KindView => ({
  kind,
  label: () => kind,
  question: () => kind,
  hint: () => "",
  Target: Nothing,
  toConfig: () => ({}),
  nameOf: () => "",
  facts: ({ target }, t) => ({ target: [{ label: t("monitors.detail.target"), value: target }] }),
});

export const kindOf = (name: string): KindView => KINDS.find(({ kind }) => kind === name) ?? unknown(name);
