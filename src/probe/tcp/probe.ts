import type { Socket } from "node:net";
import { checkError } from "../../shared/check-error";
import type { StarttlsProtocol } from "../../shared/monitor";
import { type TcpPreset, type TcpTls, tlsOf } from "../../shared/tcp/presets";
import { LocalFailure } from "../local-failure";
import type { Caller, Outbound } from "../outbound";
import { CheckFailed, failureOf, type Outcome } from "../outcome";
import { startTls } from "../tls/starttls";
import { upgrade } from "../tls/upgrade";
import { leave, type Step, takeSteps } from "./dialogue";
import { PRESETS } from "./presets";

/** The parameters of one connection. */
export type TcpTarget = {
  /** A name or an IP address, without brackets. */
  host: string;
  port: number;
  tls: TcpTls;
  /** The service whose answers are understood. STARTTLS needs one that has it. */
  preset?: TcpPreset | undefined;
  /** What is sent, and how the answer must begin, instead of what the preset says; empty for neither. */
  send: Uint8Array;
  expect: Uint8Array;
  /** Seconds. */
  timeout: number;
  /** The owner's limits, and whether the check may connect to private addresses. */
  caller: Caller;
  /** Whether private addresses are refused to all users, including administrators. */
  privateBlockedForAll?: boolean;
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

/** What is done on the connection after TLS, if any. */
const stepsOf = (target: TcpTarget): Step[] => {
  if (isOwn(target)) return [ownStep(target)];
  const preset = target.preset && PRESETS[target.preset];
  return preset && !(preset.greets && target.tls === "starttls") ? preset.steps : [];
};

/**
 * Connects to a port, and talks to the service as far as the target says. The response time includes DNS and the answers.
 * @throws {LocalFailure} when the hub itself could not connect, which says nothing about the target
 */
export const probeTcp = async (target: TcpTarget, outbound: Outbound): Promise<Outcome> => {
  const { host, port, timeout, caller, tls } = target;
  const preset = target.preset && PRESETS[target.preset];
  const found: Pick<Outcome, "statusCode" | "certExpiresAt" | "certFingerprint" | "address"> = {
    statusCode: null,
    certExpiresAt: null,
  };
  const signal = AbortSignal.timeout(timeout * 1000);
  const startedAt = performance.now();
  let socket: Socket | undefined;
  try {
    socket = await outbound.connect({
      hostname: host,
      port,
      caller,
      signal,
      onAddress: (address) => {
        found.address = address;
      },
    });
    if (!tlsOf(target.preset).includes(tls)) throw new CheckFailed(checkError("tls_no_starttls"));
    if (tls === "starttls") await startTls(socket, target.preset as StarttlsProtocol, signal);
    if (tls !== "no")
      socket = await upgrade(socket, {
        hostname: host,
        signal,
        ...(tls === "direct" && preset?.alpn && { alpnProtocols: [preset.alpn] }),
        onCertificate: ({ expiresAt, fingerprint }) => {
          found.certExpiresAt = expiresAt;
          found.certFingerprint = fingerprint;
        },
      });
    const answer = await takeSteps(socket, stepsOf(target), signal);
    const responseTime = Math.round((performance.now() - startedAt) * 10) / 10;
    leave(socket, signal, isOwn(target) ? undefined : preset?.farewell?.(answer));
    return { ...found, up: true, responseTime, error: null };
  } catch (error) {
    if (socket) leave(socket, signal);
    if (error instanceof LocalFailure) throw error;
    return { ...found, up: false, responseTime: null, error: failureOf(error, target) };
  }
};
