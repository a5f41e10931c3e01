import { http } from "./http";
import type { KindView } from "./kind";
import { tcp } from "./tcp";

/** Every kind of monitor, in the order of the form's choice; the first one is chosen at first. */
export const KINDS: [KindView, ...KindView[]] = [http, tcp];

const CommonOnly: KindView["Fields"] = ({ common: { name, timing, retries } }) => [name, timing, retries];

/** A kind of which nothing is known here but its name: a newer hub has it. */
const unknown = (kind: string): KindView => ({
  kind,
  label: () => kind,
  Fields: CommonOnly,
  toConfig: () => ({}),
  facts: ({ target }, t) => ({ target: [{ label: t("monitors.detail.target"), value: target, wide: true }] }),
});

export const kindOf = (name: string): KindView => KINDS.find(({ kind }) => kind === name) ?? unknown(name);
