import { probeTcp } from "../../../probe/tcp/probe";
import type { Config } from "../../../shared/monitor-kinds/field";
import { hostnameOf } from "../../../shared/monitor-kinds/host";
import { tcp as fields } from "../../../shared/monitor-kinds/tcp";
import { bytesOf } from "../../../shared/tcp/byte-text";
import { isLoginPreset, TCP_PRESETS, type TcpTls, tlsOf } from "../../../shared/tcp/presets";
import { defineKind } from "./kind";

/** The error of a login, with the name of the field. */
const loginProblem = ({ preset, user = "", password = "" }: Config): [path: string, message: string] | null => {
  if (user === "" && password === "") return null;
  if (!isLoginPreset(preset))
    return [user === "" ? "password" : "user", "expected only with the preset mysql, postgres or redis"];
  if (preset !== "redis" && user === "") return ["user", "expected the user of the password"];
  return preset === "redis" && password === "" ? ["password", "expected the password of the user"] : null;
};

/** The error of a service's encryption. */
const tlsProblem = (sent: Config): [path: string, message: string] | null => {
  const preset = TCP_PRESETS.find((name) => name === sent.preset);
  const choices = tlsOf(preset);
  // An unknown preset is refused by the schema.
  const isKnown = preset !== undefined || !sent.preset;
  if (sent.tls === undefined || !isKnown || choices.includes(sent.tls as TcpTls)) return null;
  return ["tls", `expected ${choices.join(" or ")}${preset ? "" : " without a preset"}`];
};

/** Checks that a TCP port accepts connections, and that the service behind it answers as expected. */
export const tcp = defineKind(fields, {
  problems: (sent) =>
    [loginProblem(sent), tlsProblem(sent)].flatMap((problem) =>
      problem ? [{ path: problem[0], message: `${problem[0]}: ${problem[1]}` }] : [],
    ),
  probe: (
    { host, port, tls = "no", preset, user = "", password = "", send = "", expect = "" },
    { outbound, ...context },
  ) =>
    probeTcp(
      {
        ...context,
        host: hostnameOf(host) ?? host,
        port,
        tls,
        preset: preset || undefined,
        login: user || password ? { user, password } : undefined,
        send: bytesOf(send) ?? new Uint8Array(),
        expect: bytesOf(expect) ?? new Uint8Array(),
      },
      outbound,
    ),
});
