import { checkError } from "../../shared/check-error";
import type { StarttlsProtocol } from "../../shared/monitor";
import { isLoginPreset, type Login, type TcpPreset, type TcpTls, tlsOf } from "../../shared/tcp/presets";
import { type ConnectionTarget, type Conversation, probeConnection } from "../connection/connection";
import { type Step, takeSteps } from "../connection/dialogue";
import type { Outbound } from "../outbound";
import { CheckFailed, type Outcome } from "../outcome";
import { startTls } from "../tls/starttls";
import { LOGINS, PRESETS } from "./presets";

/** The parameters of one probe. */
export type TcpTarget = ConnectionTarget & {
  tls: TcpTls;
  /** The service on the port; STARTTLS requires a service that supports it. */
  preset?: TcpPreset | undefined;
  /** Credentials, for services with a login. */
  login?: Login | undefined;
  /** Bytes to send, and the expected beginning of the answer, instead of the preset's; empty to use the preset. */
  send: Uint8Array;
  expect: Uint8Array;
};

/** Sends and expects what a user typed. */
const ownStep = ({ send, expect }: TcpTarget): Step => ({
  ...(send.length > 0 && { send }),
  ...(expect.length > 0 && {
    undecided: checkError("reply_mismatch"),
    judge: (answer) => {
      const length = Math.min(answer.length, expect.length);
      if (!answer.subarray(0, length).equals(expect.subarray(0, length))) return checkError("reply_mismatch");
      return answer.length < expect.length ? "more" : "ok";
    },
  }),
});

const isOwn = ({ send, expect }: TcpTarget) => send.length > 0 || expect.length > 0;

/** The steps of the target's login, if it has one. */
const loginOf = ({ preset, login }: TcpTarget) =>
  login && isLoginPreset(preset)
    ? { steps: LOGINS[preset].steps(login), farewell: LOGINS[preset].farewell }
    : undefined;

/** The steps on the connection after TLS, if any. */
const stepsOf = (target: TcpTarget): Step[] => {
  if (isOwn(target)) return [ownStep(target)];
  const login = loginOf(target);
  if (login) return login.steps;
  const preset = target.preset && PRESETS[target.preset];
  return preset && !(preset.greets && target.tls === "starttls") ? preset.steps : [];
};

/**
 * Connects to a port, and talks to the service as far as the target says.
 * @throws {LocalFailure} when the hub itself could not connect, which says nothing about the target
 */
export const probeTcp = (target: TcpTarget, outbound: Outbound): Promise<Outcome> => {
  const { tls } = target;
  const preset = target.preset && PRESETS[target.preset];
  const conversation: Conversation = {
    prepare: async (socket, signal) => {
      if (!tlsOf(target.preset).includes(tls)) throw new CheckFailed(checkError("tls_no_starttls"));
      if (tls === "starttls") await startTls(socket, target.preset as StarttlsProtocol, signal);
    },
    tls: tls === "no" ? null : tls === "direct" && preset?.alpn ? { alpnProtocols: [preset.alpn] } : {},
    talk: async (socket, signal) => {
      const answer = await takeSteps(socket, stepsOf(target), signal);
      if (isOwn(target)) return {};
      return { farewell: loginOf(target)?.farewell ?? preset?.farewell?.(answer) };
    },
  };
  return probeConnection(target, conversation, outbound);
};
