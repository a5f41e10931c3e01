import type { TFunction } from "i18next";
import type { ComponentType, ReactNode } from "react";
import type { Config, FieldOf, KindDescription, KindField, Rows } from "../../../../../src/shared/monitor-kinds/field";
import { configProblems, defaultsOf } from "../../../../../src/shared/monitor-kinds/validate";
import { raw, text, whole } from "../../../../lib/form";
import { hostOf, isWebAddress } from "../../../../lib/web-address";
import type { Monitor } from "../../api";
import { certificateDaysFact, daysIn } from "./fields/certificate-days";
import { type ControlProps, choiceText, inputName, KindFields, labelOf, word } from "./fields/kind-fields";
import { completed, completeTarget } from "./fields/target-field";
import type { Fact, KindView } from "./kind";

/** The page's part of a custom field: its component, the form value to send, and the fact about it. */
type CustomField = {
  Control?: ComponentType<ControlProps>;
  read?: (form: FormData, stored: Config | undefined) => Config;
  isValid?: (form: FormData) => boolean;
  fact?: (config: Config, t: TFunction) => Fact;
};

/** The value of a field to send, or undefined if the form does not have the field. */
const valueIn = (form: FormData, field: KindField): unknown => {
  const name = inputName(field.name);
  switch (field.type) {
    case "address":
      return completed(field, text(form, name));
    case "number":
      return field.nullable && text(form, name) === "" ? null : whole(form, name);
    case "switch":
      return form.has(name);
    case "days":
      return form.has(name) ? daysIn(form, name) : undefined;
    case "bytes":
    case "password":
      return raw(form, name);
    case "text":
      return (field.plain ?? String)(text(form, name)) || (field.nullable ? null : "");
    case "choice":
      return text(form, name) || (field.nullable ? null : field.choices[0]);
    default:
      return text(form, name);
  }
};

/** Whether to leave a value out: it is empty and nothing is stored. An emptied field is sent as empty. */
const isLeftOut = (field: KindField, value: unknown): boolean =>
  !field.required &&
  field.default === undefined &&
  (value === "" || value === false || (field.type === "choice" && value === field.usual));

/** The name of a monitor out of its host or address. */
const nameIn = (form: FormData, field: KindField | undefined): string => {
  if (field?.type !== "address") return field ? text(form, inputName(field.name)) : "";
  const address = completed(field, text(form, field.name));
  return field.schemes[0] === "http" ? hostOf(address) : (URL.parse(address)?.host ?? "");
};

/** Whether an address that the hub would accept is incomplete. */
const isMistyped = ({ name, schemes }: FieldOf<"address">, config: Config) =>
  schemes[0] === "http" && !isWebAddress(String(config[name]));

const styled = (value: string, as: "code" | "body" | undefined): ReactNode => {
  if (as === "body") return <pre className="body">{value}</pre>;
  return as === "code" ? <code>{value}</code> : value;
};

const presetText = ({ fields }: Pick<KindDescription, "fields">, preset: string, t: TFunction): string => {
  const field = fields.find((one) => one.type === "choice" && one.isPreset);
  return field?.type === "choice" ? choiceText(field, preset, t) : preset;
};

/** A field on the page of a monitor; null where there is nothing to say. */
const factOf = (field: KindField, config: Config, t: TFunction): Fact | null => {
  const { name, none, fact } = field;
  if (fact === false) return null;
  const value = config[name] ?? "";
  const label = labelOf(field, config, t);
  if (field.type === "days") return certificateDaysFact((value || []) as readonly number[], t, label);
  if (field.type === "choice") {
    const choice = String(value || (field.nullable ? "" : field.choices[0]));
    return choice === field.usual ? null : { label, value: choiceText(field, choice, t) };
  }
  if (field.type === "switch") return value === true && fact?.on ? { label, value: word(t, fact.on) } : null;
  if (value === "") return none ? { label, value: word(t, none) } : null;
  return { label, value: typeof value === "string" ? styled(value, fact?.as) : (value as ReactNode), wide: fact?.wide };
};

type Described = KindDescription<readonly KindField[], Config>;
type Custom = Readonly<Record<string, CustomField | undefined>>;

/** The fields of a monitor; undefined for a new one. */
const configOf = ({ flat, fields }: Described, monitor: Monitor | undefined): Config | undefined =>
  monitor && { ...defaultsOf(fields), ...(flat ? monitor : monitor.config) };

/** The fields in a form, as they are sent. */
const configIn = (fields: readonly KindField[], custom: Custom, form: FormData, stored: Config | undefined): Config =>
  Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      const { read } = custom[field.name] ?? {};
      if (read || field.type === "custom") return Object.entries(read?.(form, stored) ?? {});
      const value = valueIn(form, field);
      return isLeftOut(field, value) && stored?.[field.name] === undefined ? [] : [[field.name, value]];
    }),
  );

const describeMonitor = (
  kind: Described,
  custom: Custom,
  config: Config,
  t: TFunction,
): ReturnType<KindView["facts"]> => {
  const { fields, facts = fields.map(({ name }) => name), form } = kind;
  const shown: Record<"target" | "rules" | "content", Fact[]> = {
    target: [{ label: t("monitors.detail.kind"), value: word(t, `kinds.${kind.kind}.label`) }],
    rules: [],
    content: [],
  };
  for (const name of facts) {
    const field = fields.find((one) => one.name === name);
    const fact = field && (custom[name]?.fact?.(config, t) ?? factOf(field, config, t));
    const { place = form.settings?.flat().includes(name) ? "rules" : "target" } = field?.fact || {};
    if (fact) shown[place].push(fact);
  }
  return shown;
};

/** The parts of the form of a kind, and what is sent of them. */
const formOf = (kind: Described, custom: Custom) => {
  const { fields, form: rows } = kind;
  const settings = rows.settings ?? [];
  const target = fields.find((field) => field.type === "host" || field.type === "address");
  const controls = Object.fromEntries(
    Object.entries(custom).flatMap(([name, one]) => (one?.Control ? [[name, one.Control]] : [])),
  );
  const draw =
    (rows: Rows): KindView["Target"] =>
    (props) => (
      <KindFields {...props} kind={kind} stored={configOf(kind, props.monitor)} rows={rows} controls={controls} />
    );
  return {
    Target: draw(rows.target),
    Settings: settings.length > 0 ? draw(settings) : undefined,
    settings: (t) =>
      settings
        .flat()
        .flatMap((name) => fields.filter((one) => one.name === name))
        .map((one) => labelOf(one, {}, t)),
    complete: (form) => target && completeTarget(form, target),
    invalid: (form) => {
      const config = configIn(fields, custom, form, undefined);
      const wrong = configProblems(fields, config).map(([name]) => inputName(name));
      const mistyped = target?.type === "address" && isMistyped(target, config) ? [target.name] : [];
      const others = Object.entries(custom).flatMap(([name, one]) =>
        one?.isValid?.(form) === false ? [inputName(name)] : [],
      );
      return [...mistyped, ...wrong, ...others];
    },
    nameOf: (form) => nameIn(form, target),
    hasEffects: (form) => fields.some(({ hasEffects, name }) => hasEffects && raw(form, name) !== ""),
    toConfig: (form, monitor) => {
      const config = configIn(fields, custom, form, configOf(kind, monitor));
      return kind.flat ? config : { kind: kind.kind, config };
    },
  } satisfies Partial<KindView>;
};

/** A kind on the page out of its description. `custom` has the fields that are drawn, read or shown in their own way. */
export const kindView = <const Fields extends readonly KindField[]>(
  description: KindDescription<Fields>,
  custom: Custom = {},
  special: Partial<KindView> = {},
): KindView => {
  const kind = description as unknown as Described;
  const { passive, isCertificate, expires, leastInterval, up, response, presets, tiles, certificateDays } = kind;
  const tile = (of: string, names: readonly string[] | undefined) => ({
    question: (t: TFunction) => word(t, `kinds.${of}.question`),
    hint: (t: TFunction) => word(t, `kinds.${of}.hint`),
    presets: names?.map((name) => ({ name, label: (t: TFunction) => presetText(kind, name, t) })),
  });
  return {
    ...{ kind: kind.kind, passive, isCertificate, expires, leastInterval },
    label: (t) => word(t, `kinds.${kind.kind}.label`),
    ...tile(kind.kind, presets),
    tiles: tiles && Object.fromEntries(tiles.map(({ name, presets }) => [name, tile(`${kind.kind}.${name}`, presets)])),
    upLabel: up === undefined ? undefined : (t) => word(t, up),
    responseLabel: response === undefined ? undefined : (t) => word(t, response),
    ...formOf(kind, custom),
    certificateDays: certificateDays && ((monitor) => certificateDays(configOf(kind, monitor) ?? {})),
    facts: (monitor, t) => describeMonitor(kind, custom, configOf(kind, monitor) ?? {}, t),
    ...special,
  };
};
