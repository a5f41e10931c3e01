import { useTranslation } from "react-i18next";
import { defaultDaysIf } from "../../../../../src/shared/certificate";
import { LIMITS } from "../../../../../src/shared/limits";
import { raw, text } from "../../../../lib/form";
import { withScheme } from "../../../../lib/web-address";
import { Field } from "../../../../ui/controls/field";
import type { Monitor } from "../../api";
import { AddressField, completeAddress } from "./fields/address-field";
import type { KindView } from "./kind";

type WebSocketFields = { url: string; subprotocol?: string; send?: string; expect?: string };
const fieldsOf = (monitor?: Monitor) => monitor?.config as WebSocketFields | undefined;

/** Adds a missing scheme, and replaces that of a website. */
const asWebSocket = (typed: string): string => withScheme(typed).replace(/^http(?=s?:\/\/)/i, "ws");

const urlOf = (form: FormData) => URL.parse(asWebSocket(text(form, "url")));

const byteLength = (value: string) => new TextEncoder().encode(value).length;

const Target: KindView["Target"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  return (
    <AddressField
      label={t("kinds.websocket.address")}
      stored={fieldsOf(monitor)?.url}
      placeholder="wss://example.com/live"
      error={wrong("url") && t("kinds.websocket.wrong")}
      complete={asWebSocket}
    />
  );
};

const Settings: KindView["Settings"] = ({ monitor, wrong }) => {
  const { t } = useTranslation();
  const stored = fieldsOf(monitor);
  return (
    <>
      <Field
        label={t("kinds.websocket.send")}
        optional
        error={wrong("send") && t("kinds.websocket.tooLong", { limit: LIMITS.sentBytes })}
      >
        <textarea
          name="send"
          rows={2}
          defaultValue={stored?.send ?? ""}
          placeholder={'{"type":"ping"}'}
          spellCheck={false}
        />
      </Field>
      <Field
        label={t("kinds.websocket.expect")}
        hint={t("kinds.websocket.expectHint")}
        optional
        error={wrong("expect") && t("kinds.websocket.tooLong", { limit: LIMITS.expectedBytes })}
      >
        <input
          name="expect"
          type="text"
          defaultValue={stored?.expect ?? ""}
          placeholder="pong"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field
        label={t("kinds.websocket.subprotocol")}
        hint={t("kinds.websocket.subprotocolHint")}
        optional
        error={wrong("subprotocol") && t("kinds.websocket.oneName")}
      >
        <input
          name="subprotocol"
          type="text"
          maxLength={100}
          defaultValue={stored?.subprotocol ?? ""}
          placeholder="graphql-transport-ws"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
    </>
  );
};

const OPTIONAL = ["send", "expect", "subprotocol"] as const;

/** A server that accepts WebSocket connections. */
export const websocket: KindView = {
  kind: "websocket",
  label: (t) => t("kinds.websocket.label"),
  question: (t) => t("kinds.websocket.question"),
  hint: (t) => t("kinds.websocket.hint"),
  Target,
  Settings,
  settings: (t) => [t("kinds.websocket.send"), t("kinds.websocket.expect"), t("kinds.websocket.subprotocol")],
  complete: (form) => completeAddress(form, asWebSocket),
  invalid: (form) => {
    const url = urlOf(form);
    const isAddress = url !== null && /^wss?:$/.test(url.protocol) && url.hostname !== "" && url.hash === "";
    return [
      ...(isAddress ? [] : ["url"]),
      ...(byteLength(raw(form, "send")) <= LIMITS.sentBytes ? [] : ["send"]),
      ...(byteLength(raw(form, "expect")) <= LIMITS.expectedBytes ? [] : ["expect"]),
      ...(/^[!#$%&'*+.^_`|~0-9A-Za-z-]*$/.test(text(form, "subprotocol")) ? [] : ["subprotocol"]),
    ];
  },
  nameOf: (form) => urlOf(form)?.host ?? "",
  hasEffects: (form) => raw(form, "send") !== "",
  // What was never filled in is left out, and what was emptied is sent as empty.
  toConfig: (form, monitor) => {
    const given = OPTIONAL.map((name) => [name, name === "subprotocol" ? text(form, name) : raw(form, name)] as const);
    const kept = given.filter(([name, value]) => value !== "" || fieldsOf(monitor)?.[name] !== undefined);
    return { kind: "websocket", config: { url: asWebSocket(text(form, "url")), ...Object.fromEntries(kept) } };
  },
  certificateDays: (monitor) => defaultDaysIf(/^wss:/i.test(fieldsOf(monitor)?.url ?? "")),
  facts: (monitor, t) => {
    const { url, subprotocol, send, expect } = fieldsOf(monitor) ?? ({} as WebSocketFields);
    return {
      target: [
        { label: t("monitors.detail.kind"), value: t("kinds.websocket.label") },
        { label: t("kinds.websocket.address"), value: url },
        ...(subprotocol ? [{ label: t("kinds.websocket.subprotocol"), value: subprotocol }] : []),
      ],
      rules: expect ? [{ label: t("kinds.websocket.expect"), value: <code>{expect}</code> }] : [],
      content: send
        ? [{ label: t("kinds.websocket.send"), value: <pre className="body">{send}</pre>, wide: true }]
        : [],
    };
  },
};
