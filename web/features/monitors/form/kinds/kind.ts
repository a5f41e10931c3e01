import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { Monitor } from "../../api";

/** A label and a value on the page of a monitor. A wide one takes a whole row. */
export type Fact = { label: string; value: ReactNode; wide?: boolean };

/** The fields that every kind has, for `Fields` to place. */
type CommonFields = { name: ReactNode; timing: ReactNode; retries: ReactNode };

type FieldsProps = {
  /** The monitor to edit; undefined for a new one. */
  monitor?: Monitor;
  /** The error of a field, by its name in the API. */
  wrong: (field: string) => string | undefined;
  common: CommonFields;
};

/** A monitor kind on the page: the counterpart of its file on the hub. */
export type KindView = {
  kind: string;
  label: (t: TFunction) => string;
  /** The sections of the form. */
  Fields: (props: FieldsProps) => ReactNode;
  /** The kind's part of the body. */
  toConfig: (form: FormData, monitor?: Monitor) => object;
  /** Completes the typed values before they are submitted. */
  complete?: (form: HTMLFormElement) => void;
  /** The facts on a monitor's page: its target, what counts as up, and what it sends. */
  facts: (monitor: Monitor, t: TFunction) => { target: Fact[]; rules?: Fact[]; content?: Fact[] };
  /** The address that a browser can open, if any. */
  href?: (monitor: Monitor) => string;
};
