import type { TFunction } from "i18next";
import type { ComponentType, ReactNode } from "react";
import type { ExpiryKind } from "../../../../../src/shared/certificate";
import type { Monitor, MonitorDetail } from "../../api";

/** A label and a value on the page of a monitor. A wide one takes a whole row. */
export type Fact = { label: string; value: ReactNode; wide?: boolean };

/** The properties of a part of the form. */
export type FieldsProps = {
  /** The monitor to edit; undefined for a new one. */
  monitor?: Monitor;
  /** The error of a field, by its name in the API. */
  wrong: (field: string) => string | undefined;
  /** The chosen preset of a new monitor; empty for none. The fields stay mounted when another one is chosen. */
  preset?: string;
};

/** Ready-made values of a kind, such as for a well-known service. */
type Preset = {
  /** Its name in the address of the form, and in the properties of the fields; empty for none. */
  name: string;
  label: (t: TFunction) => string;
};

/** A choice of what to watch, in plain words. */
export type Tile = {
  /** "A website or API" */
  question: (t: TFunction) => string;
  /** A sentence about its checks. */
  hint: (t: TFunction) => string;
  /** The presets that it offers; the first one is chosen at first. */
  presets?: readonly Preset[];
};

/** A monitor kind on the page: the counterpart of its file on the hub. Its icon is in kind-icon.tsx. */
export type KindView = Tile & {
  kind: string;
  label: (t: TFunction) => string;
  /** Further choices of what to watch that lead to this kind, each with presets, by the name of their icon. */
  tiles?: Readonly<Record<string, Tile>>;
  /** It waits for reports instead of being checked: no probe, no "check now", and no settings of checks. */
  passive?: true;
  /** The label of a successful probe, for kinds that do more than connect. */
  upLabel?: (t: TFunction) => string;
  /** What its response time is, if it is not that: the duration of a run, or a round trip. */
  responseLabel?: (t: TFunction) => string;
  /** The fields that say what is checked, first in the form. */
  Target: (props: FieldsProps) => ReactNode;
  /** The other fields of the kind, in the fold of the form. */
  Settings?: (props: FieldsProps) => ReactNode;
  /** The labels of those. */
  settings?: (t: TFunction) => string[];
  /** The kind's part of the body. */
  toConfig: (form: FormData, monitor?: Monitor) => object;
  /** The fields whose values are wrong although their controls allow them, by their names in the API. */
  invalid?: (form: FormData) => string[];
  /** A monitor name from its typed target, or an empty text. */
  nameOf: (form: FormData) => string;
  /** Whether a probe may change something at its target: then it runs only when it is asked for. */
  hasEffects?: (form: FormData) => boolean;
  /** Completes the typed values before they are submitted. */
  complete?: (form: HTMLFormElement) => void;
  /** The facts on a monitor's page: its target, what counts as up, and what it sends. */
  facts: (monitor: Monitor, t: TFunction) => { target: Fact[]; rules?: Fact[]; content?: Fact[] };
  /** Days of alerts before the expiry of the certificate, for kinds with certificates. */
  certificateDays?: (monitor: Monitor) => readonly number[];
  /** The expiry of its certificate or domain is its main figure. */
  isCertificate?: true;
  /** What expires, if it is not a certificate. */
  expires?: ExpiryKind;
  /** The shortest interval of its checks in seconds. */
  leastInterval?: number;
  /** A panel on the page of a monitor, above the panels of all kinds. */
  Panel?: ComponentType<{ monitor: MonitorDetail }>;
  /** A panel below the bar of the latest results: what its reports were, for kinds that wait for them. */
  Latest?: ComponentType<{ monitor: MonitorDetail }>;
  /** The content of the tab of its history, if that has more than checks, and the label of the tab. */
  history?: { label: (t: TFunction) => string; Panel: ComponentType<{ monitor: MonitorDetail }> };
  /** The address that a browser can open, if any. */
  href?: (monitor: Monitor) => string;
};
