import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { Monitor } from "../../api";

/** A label and a value on the page of a monitor. A wide one takes a whole row. */
export type Fact = { label: string; value: ReactNode; wide?: boolean };

/** The properties of a part of the form. */
export type FieldsProps = {
  /** The monitor to edit; undefined for a new one. */
  monitor?: Monitor;
  /** The error of a field, by its name in the API. */
  wrong: (field: string) => string | undefined;
};

/** A monitor kind on the page: the counterpart of its file on the hub. */
export type KindView = {
  kind: string;
  label: (t: TFunction) => string;
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
  /** A name for the monitor out of its typed target; empty while there is none. */
  nameOf: (form: FormData) => string;
  /** Whether a probe may change something at its target: then it runs only when it is asked for. */
  hasEffects?: (form: FormData) => boolean;
  /** Completes the typed values before they are submitted. */
  complete?: (form: HTMLFormElement) => void;
  /** The facts on a monitor's page: its target, what counts as up, and what it sends. */
  facts: (monitor: Monitor, t: TFunction) => { target: Fact[]; rules?: Fact[]; content?: Fact[] };
  /** The address that a browser can open, if any. */
  href?: (monitor: Monitor) => string;
};
