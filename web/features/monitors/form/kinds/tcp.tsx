import { useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../../src/shared/limits";
import { text, whole } from "../../../../lib/form";
import { isPrivateAddress } from "../../../../lib/web-address";
import { sessionAtom } from "../../../../session";
import { Field } from "../../../../ui/controls/field";
import type { Monitor } from "../../api";
import type { KindView } from "./kind";

type TcpFields = { host: string; port: number };
const fieldsOf = (monitor?: Monitor) => monitor?.config as TcpFields | undefined;

/** A URL with the host, for the check of private addresses; an IPv6 address is put in brackets. */
const asUrl = (host: string) => `http://${host.includes(":") ? `[${host.replace(/^\[|\]$/g, "")}]` : host}/`;

const Fields: KindView["Fields"] = ({ monitor, wrong, common: { name, timing, retries } }) => {
  const { t } = useTranslation();
  const { user } = useAtomValue(sessionAtom);
  const stored = fieldsOf(monitor);
  const [host, setHost] = useState(stored?.host ?? "");
  const isBlocked = user?.role === "user" && isPrivateAddress(asUrl(host.trim()));

  return (
    <>
      <section className="card">
        <h2>{t("monitors.form.basics")}</h2>
        {name}
        <div className="host-port">
          <Field
            label={t("monitors.form.host")}
            warning={isBlocked ? t("monitors.form.privateAddress") : undefined}
            error={wrong("host")}
          >
            <input
              name="host"
              type="text"
              required
              maxLength={LIMITS.host}
              onChange={(event) => setHost(event.target.value)}
              defaultValue={stored?.host}
              placeholder="db.example.com"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
          <Field label={t("monitors.form.port")} error={wrong("port")}>
            <input
              name="port"
              type="number"
              required
              min={1}
              max={65_535}
              step={1}
              defaultValue={stored?.port}
              placeholder="5432"
            />
          </Field>
        </div>
      </section>

      <section className="card">
        <h2>{t("monitors.form.expectations")}</h2>
        {timing}
        {retries}
      </section>
    </>
  );
};

/** A TCP port. */
export const tcp: KindView = {
  kind: "tcp",
  label: (t) => t("monitors.kind.tcp"),
  Fields,
  toConfig: (form) => ({ kind: "tcp", config: { host: text(form, "host"), port: whole(form, "port") } }),
  facts: (monitor, t) => ({
    target: [
      { label: t("monitors.detail.kind"), value: t("monitors.kind.tcp") },
      { label: t("monitors.detail.host"), value: fieldsOf(monitor)?.host },
      { label: t("monitors.detail.port"), value: fieldsOf(monitor)?.port },
    ],
  }),
};
