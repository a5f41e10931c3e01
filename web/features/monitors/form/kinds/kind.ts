import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { Monitor } from "../../calls";

/** One line of what is shown of a monitor. A wide one takes a row of its own. */
export type Fact = { label: string; value: ReactNode; wide?: boolean };

/** The fields that every kind has, for `Fields` to place. */
export type CommonFields = { name: ReactNode; timing: ReactNode; retries: ReactNode };

type FieldsProps = {
  /** The monitor that is edited; undefined for a new one. */
  monitor?: Monitor;
  /** The refusal of a field, by its name in the API. */
  wrong: (field: string) => string | undefined;
  common: CommonFields;
};

/** A monitor kind on the page: the counterpart of its file on the hub. */
export type KindView = {
  kind: string;
  label: (t: TFunction) => string;
  /** The sections of the form. */
  Fields: (props: FieldsProps) => ReactNode;
  /** The part of the body that is the kind's. */
  toConfig: (form: FormData, monitor?: Monitor) => object;
  /** Completes what was typed, before it is read. */
  complete?: (form: HTMLFormElement) => void;
  /** What is shown of a monitor: what it checks, what counts as up, and what it sends. */
  facts: (monitor: Monitor, t: TFunction) => { target: Fact[]; rules?: Fact[]; content?: Fact[] };
  /** The address that a browser can open, if any. */
  href?: (monitor: Monitor) => string;
};
