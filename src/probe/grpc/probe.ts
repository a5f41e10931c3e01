import { connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from "node:http2";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { USER_AGENT } from "../../build-info";
import { type CheckError, checkError } from "../../shared/check-error";
import { type ConnectionTarget, type Found, probeConnection } from "../connection/connection";
import type { Outbound } from "../outbound";
import { AnswerIncomplete, CheckFailed, type Outcome } from "../outcome";
import { endpointOf } from "../url";
import { healthRequest, healthStatus, SERVICE_UNKNOWN, SERVING } from "./message";

/** The parameters of one health check. */
type GrpcTarget = Omit<ConnectionTarget, "host" | "port"> & {
  /** An http or https address without a path. */
  url: string;
  /** The service that is asked for; empty for the server as a whole. */
  service: string;
};

/** Bytes of the answer that are read at most, and of its headers. */
const MAX_ANSWER = 4096;
const MAX_HEADERS = 16_384;

/** Status codes of gRPC that have their own errors. */
const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

type Headers = IncomingHttpHeaders & IncomingHttpStatusHeader;

/** The status and the body of a call, as far as they have arrived. */
type Call = { httpStatus: number | null; grpcStatus: number | null; body: Buffer };

const invalid = () => new CheckFailed(checkError("grpc_invalid"));

/** The error of a finished call, or null. */
const problemOf = ({ httpStatus, grpcStatus, body }: Call): CheckError | null => {
  if (grpcStatus === NOT_FOUND) return checkError("grpc_unknown_service");
  if (grpcStatus === UNIMPLEMENTED) return checkError("grpc_unimplemented");
  if (grpcStatus !== null && grpcStatus !== 0) return checkError("grpc_failed", { status: grpcStatus });
  if (httpStatus !== null && httpStatus !== 200) return checkError("status", { actual: httpStatus, expected: "200" });
  const health = grpcStatus === null ? null : healthStatus(body);
  if (health === null) return checkError("grpc_invalid");
  if (health === SERVICE_UNKNOWN) return checkError("grpc_unknown_service");
  return health === SERVING ? null : checkError("grpc_not_serving");
};

const statusOf = (headers: Headers): number | null => {
  const text = String(headers["grpc-status"] ?? "");
  return /^\d{1,3}$/.test(text) ? Number(text) : null;
};

/**
 * Calls the health check over a connection, until it is answered or the connection ends.
 * @throws {CheckFailed}, the error of the connection, or the signal's reason
 */
const call = (socket: Socket, { url, service }: GrpcTarget, signal: AbortSignal): Promise<Call> =>
  new Promise((resolve, reject) => {
    const answer: Call = { httpStatus: null, grpcStatus: null, body: Buffer.alloc(0) };
    const session = connect(url, {
      createConnection: () => socket,
      settings: { enablePush: false, maxHeaderListSize: MAX_HEADERS },
    });
    const settle = (finish: () => void) => {
      signal.removeEventListener("abort", abort);
      socket.off("close", close);
      finish();
      session.destroy();
    };
    const fail = (error: unknown) => settle(() => reject(error));
    const abort = () => fail(answer.httpStatus === null ? signal.reason : new AnswerIncomplete());
    // The stream does not always report that its connection has ended.
    const close = () => fail(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
    const onError = (error: NodeJS.ErrnoException) =>
      fail(String(error.code).startsWith("ERR_HTTP2") ? invalid() : error);
    const finish = () => settle(() => resolve(answer));
    signal.addEventListener("abort", abort, { once: true });
    socket.on("close", close);
    session.on("error", onError);
    const request = () => {
      // The deadline may have passed since the settings arrived.
      if (session.destroyed) return;
      const stream = session.request({
        ":method": "POST",
        ":path": "/grpc.health.v1.Health/Check",
        "content-type": "application/grpc",
        te: "trailers",
        "user-agent": USER_AGENT,
      });
      stream.on("error", onError);
      stream.on("response", (headers: Headers) => {
        answer.httpStatus = headers[":status"] ?? null;
        answer.grpcStatus = statusOf(headers);
        // An error without a message has its status beside the headers.
        if (answer.grpcStatus !== null || answer.httpStatus !== 200) finish();
      });
      stream.on("data", (chunk: Buffer) => {
        answer.body = Buffer.concat([answer.body, chunk]);
        if (answer.body.length > MAX_ANSWER) fail(invalid());
      });
      stream.on("trailers", (headers: Headers) => {
        answer.grpcStatus = statusOf(headers);
        finish();
      });
      stream.on("end", () => setImmediate(finish));
      stream.end(healthRequest(service));
    };
    // A server of HTTP/1 answers the preface with an error, which a request in addition would displace by a reset.
    session.once("remoteSettings", request);
    if (signal.aborted) abort();
  });

/**
 * Calls the standard health check of a gRPC server. Up means that the service is serving.
 * @throws {LocalFailure} when the hub itself could not connect, which says nothing about the target
 */
export const probeGrpc = (target: GrpcTarget, outbound: Outbound): Promise<Outcome> => {
  const { host, port, isSecure } = endpointOf(new URL(target.url));
  const details: Found = { statusCode: null, certExpiresAt: null };
  return probeConnection(
    { ...target, host, port },
    {
      tls: isSecure ? { alpnProtocols: ["h2"] } : null,
      talk: async (socket, signal) => {
        if (socket instanceof TLSSocket && socket.alpnProtocol !== "h2") throw invalid();
        const answer = await call(socket, target, signal);
        details.statusCode = answer.httpStatus;
        const problem = problemOf(answer);
        if (problem) throw new CheckFailed(problem);
        return undefined;
      },
    },
    outbound,
    details,
  );
};
