import type { TFunction } from "i18next";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { defaultDaysIf } from "../../../../../src/shared/certificate";
import { LIMITS } from "../../../../../src/shared/limits";
import { bytesOf } from "../../../../../src/shared/tcp/byte-text";
import {
  isLoginPreset,
  TCP_PRESETS,
  TCP_SERVICES,
  type TcpFields,
  type TcpPreset,
  type TcpTls,
  tlsOf,
} from "../../../../../src/shared/tcp/presets";
import { raw, text, whole } from "../../../../lib/form";
import { Field, PasswordInput } from "../../../../ui/controls/field";
import type { Monitor } from "../../api";
import { HostField, invalidHost, PortField, splitHost } from "./fields/host-fields";
import type { KindView, Preset } from "./kind";

const fieldsOf = (monitor?: Monitor) => monitor?.config as TcpFields | undefined;

/** The preset of this name; undefined for none. */
const presetOf = (name?: string) => TCP_PRESETS.find((preset) => preset === name);

/** The ports that the form fills in, which it may replace. */
const USUAL = TCP_PRESETS.flatMap((preset) => Object.values(TCP_SERVICES[preset].ports));

/** Fills in the usual port of a service, in place of that of another one. */
const fillPort = (form: HTMLFormElement | null | undefined, preset: TcpPreset | undefined, tls: TcpTls) => {
  const port = form?.elements.namedItem("port");
  if (!(port instanceof HTMLInputElement) || !(port.value === "" || USUAL.includes(Number(port.value)))) return;
  port.value = String((preset && TCP_SERVICES[preset].ports[tls]) ?? "");
};

const nameOf = (preset: TcpPreset | undefined, t: TFunction) =>
  preset === undefined ? t("kinds.tcp.any") : preset === "mysql" ? "MySQL, MariaDB" : TCP_SERVICES[preset].name;

/** What a service does with checks, if there is something to know. */
const noteOf = (preset: TcpPreset | undefined, t: TFunction) =>
  preset === "ssh" || preset === "mysql" ? t(`kinds.tcp.note.${preset}`) : undefined;

const typed = { type: "text", autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

/** The login of a database. */
function LoginFields({
  stored,
  wrong,
}: {
  stored: TcpFields | undefined;
  wrong: (field: string) => string | undefined;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Field label={t("kinds.tcp.user")} hint={t("kinds.tcp.userHint")} optional error={wrong("user")}>
        <input {...typed} name="user" maxLength={LIMITS.loginUser} defaultValue={stored?.user ?? ""} />
      </Field>
      <Field label={t("kinds.tcp.password")} optional error={wrong("password")}>
        <PasswordInput
          name="password"
          maxLength={LIMITS.loginPassword}
          defaultValue={stored?.password ?? ""}
          autoComplete="new-password"
        />
      </Field>
    </>
  );
}

const Target: KindView["Target"] = ({ monitor, wrong, preset: given }) => {
  const { t } = useTranslation();
  const stored = fieldsOf(monitor);
  const [edited, setEdited] = useState(stored?.preset ?? "");
  const [wanted, setWanted] = useState<TcpTls>(stored?.tls ?? "no");
  const select = useRef<HTMLSelectElement>(null);
  const preset = presetOf(monitor ? edited : given);
  const choices = tlsOf(preset);
  const tls = choices.includes(wanted) ? wanted : "no";
  const isShown = useRef(false);

  useEffect(() => {
    // A stored port stays until something else is chosen.
    if (!monitor || isShown.current) fillPort(select.current?.form, preset, tls);
    isShown.current = true;
  }, [monitor, preset, tls]);

  return (
    <>
      {monitor ? (
        <Field label={t("kinds.preset")} hint={noteOf(preset, t)}>
          <select name="preset" value={edited} onChange={(event) => setEdited(event.target.value as TcpPreset | "")}>
            {[undefined, ...TCP_PRESETS].map((name) => (
              <option key={name ?? ""} value={name ?? ""}>
                {nameOf(name, t)}
              </option>
            ))}
          </select>
        </Field>
      ) : (
        <input type="hidden" name="preset" value={preset ?? ""} />
      )}
      <div className="host-port">
        <HostField stored={stored?.host} wrong={wrong} />
        <PortField stored={stored?.port} wrong={wrong} />
      </div>
      <Field label={t("kinds.tcp.encryption")} hint={monitor ? undefined : noteOf(preset, t)} error={wrong("tls")}>
        <select ref={select} name="tls" value={tls} onChange={(event) => setWanted(event.target.value as TcpTls)}>
          {choices.map((name) => (
            <option key={name} value={name}>
              {t(`kinds.tcp.tls.${name}`)}
            </option>
          ))}
        </select>
      </Field>
      {isLoginPreset(preset) && <LoginFields stored={stored} wrong={wrong} />}
    </>
  );
};

const Settings: KindView["Settings"] = ({ monitor, wrong, preset }) => {
  const { t } = useTranslation();
  const stored = fieldsOf(monitor);
  const hint = presetOf(monitor ? stored?.preset : preset) ? "kinds.tcp.instead" : "kinds.tcp.bytes";
  return (
    <>
      <Field
        label={t("kinds.tcp.send")}
        hint={t(hint)}
        optional
        error={wrong("send") && t("kinds.tcp.wrong", { limit: LIMITS.sentBytes })}
      >
        <input {...typed} name="send" defaultValue={stored?.send ?? ""} placeholder="PING\r\n" />
      </Field>
      <Field
        label={t("kinds.tcp.expect")}
        hint={t("kinds.tcp.expectHint")}
        optional
        error={wrong("expect") && t("kinds.tcp.wrong", { limit: LIMITS.expectedBytes })}
      >
        <input {...typed} name="expect" defaultValue={stored?.expect ?? ""} placeholder="+PONG" />
      </Field>
    </>
  );
};

/** Whether the bytes that a user writes in a field are within the limit. */
const isBytes = (form: FormData, name: string, limit: number) =>
  (bytesOf(raw(form, name))?.length ?? Infinity) <= limit;

const presets = (...names: (TcpPreset | undefined)[]): Preset[] =>
  names.map((name) => ({ name: name ?? "", label: (t) => nameOf(name, t) }));

/** A TCP port, and the service behind it. */
export const tcp: KindView = {
  kind: "tcp",
  label: (t) => t("kinds.tcp.label"),
  question: (t) => t("kinds.tcp.question"),
  hint: (t) => t("kinds.tcp.hint"),
  presets: presets(undefined, "ssh", "ftp", "mqtt"),
  tiles: {
    mail: {
      question: (t) => t("kinds.tcp.mail.question"),
      hint: (t) => t("kinds.tcp.mail.hint"),
      presets: presets("smtp", "imap", "pop3"),
    },
    database: {
      question: (t) => t("kinds.tcp.database.question"),
      hint: (t) => t("kinds.tcp.database.hint"),
      presets: presets("postgres", "mysql", "redis"),
    },
  },
  Target,
  Settings,
  settings: (t) => [t("kinds.tcp.send"), t("kinds.tcp.expect")],
  complete: splitHost,
  invalid: (form) => [
    ...invalidHost(form),
    ...(isBytes(form, "send", LIMITS.sentBytes) ? [] : ["send"]),
    ...(isBytes(form, "expect", LIMITS.expectedBytes) ? [] : ["expect"]),
  ],
  nameOf: (form) => text(form, "host"),
  hasEffects: (form) => raw(form, "send") !== "",
  // What was never chosen is left out, and what is no longer chosen is sent as empty.
  toConfig: (form, monitor) => {
    const chosen = {
      tls: text(form, "tls") || "no",
      preset: text(form, "preset"),
      user: text(form, "user"),
      password: raw(form, "password"),
      send: raw(form, "send"),
      expect: raw(form, "expect"),
    };
    const stored = fieldsOf(monitor);
    const given = Object.entries(chosen).filter(
      ([name, value]) => !["", "no"].includes(value) || stored?.[name as keyof typeof chosen] !== undefined,
    );
    return {
      kind: "tcp",
      config: { host: text(form, "host"), port: whole(form, "port"), ...Object.fromEntries(given) },
    };
  },
  certificateDays: (monitor) => defaultDaysIf((fieldsOf(monitor)?.tls ?? "no") !== "no"),
  facts: (monitor, t) => {
    const { host, port, tls = "no", preset, user, send, expect } = fieldsOf(monitor) ?? ({} as TcpFields);
    const service = presetOf(preset);
    return {
      target: [
        { label: t("monitors.detail.kind"), value: t("kinds.tcp.label") },
        { label: t("monitors.detail.host"), value: host },
        { label: t("monitors.detail.port"), value: port },
        ...(service ? [{ label: t("kinds.preset"), value: nameOf(service, t) }] : []),
        ...(user ? [{ label: t("kinds.tcp.user"), value: user }] : []),
        ...(tls === "no" ? [] : [{ label: t("kinds.tcp.encryption"), value: t(`kinds.tcp.tls.${tls}`) }]),
      ],
      rules: expect ? [{ label: t("kinds.tcp.expect"), value: <code>{expect}</code> }] : [],
      content: send ? [{ label: t("kinds.tcp.send"), value: <code>{send}</code>, wide: true }] : [],
    };
  },
};
