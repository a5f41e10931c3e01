import { plainDomain } from "../../../../../src/shared/domains/domain-name";
import { domain } from "../../../../../src/shared/monitor-kinds/domain";
import { grpc } from "../../../../../src/shared/monitor-kinds/grpc";
import { ping } from "../../../../../src/shared/monitor-kinds/ping";
import { tcp } from "../../../../../src/shared/monitor-kinds/tcp";
import { tls } from "../../../../../src/shared/monitor-kinds/tls";
import { websocket } from "../../../../../src/shared/monitor-kinds/websocket";
import { text } from "../../../../lib/form";
import { dns } from "./dns";
import { heartbeat } from "./heartbeat";
import { http } from "./http";
import type { KindView } from "./kind";
import { kindView } from "./view";

/** Every monitor kind, in the order of the form. The first one is the default. */
export const KINDS: [KindView, ...KindView[]] = [
  http,
  heartbeat,
  kindView(ping),
  kindView(tcp),
  kindView(tls),
  dns,
  kindView(domain, {}, { nameOf: (form) => plainDomain(text(form, "domain")) }),
  kindView(websocket),
  kindView(grpc),
];

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
