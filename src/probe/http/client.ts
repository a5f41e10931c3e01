/** Makes one HTTP/1.1 request over a new connection to a judged address. */
import type { Socket } from "node:net";
import type { Phases } from "../../shared/monitor";
import type { Family } from "../address-errors";
import { LocalFailure } from "../local-failure";
import type { Caller, Outbound } from "../outbound";
import type { ServerCertificate } from "../tls/certificate";
import { upgrade } from "../tls/upgrade";
import { endpointOf } from "../url";
import { createResponseParser, type Head } from "./response";

/** Bytes of a body that are read, as they arrive; more are not waited for. */
const MAX_BODY = 1024 * 1024;

type Request = {
  url: URL;
  method: string;
  headers: Headers;
  /** Empty for none. */
  body: string;
  signal: AbortSignal;
  caller: Caller;
  family?: Family | undefined;
  /** Accept a certificate of any issuer and for any name. */
  acceptSelfSigned?: boolean | undefined;
  /** Whether the body is kept. */
  keepBody: boolean;
  onAddress: (address: string) => void;
  /** Called with the certificate of an https server before it is verified. */
  onCertificate: (certificate: ServerCertificate) => void;
  /** Called with the duration of each phase as it ends, or as the request fails in it. */
  onPhase: (phase: keyof Phases, milliseconds: number) => void;
};

/** A response. Its body is empty unless it is kept, and `isCut` when it is longer than what was read. */
export type Response = Head & { body: Buffer; isCut: boolean };

/** Measures phases one after the other. */
const createStopwatch = (onPhase: Request["onPhase"]) => {
  let since = performance.now();
  let current: keyof Phases = "dns";
  const stop = () => {
    const now = performance.now();
    onPhase(current, now - since);
    since = now;
  };
  return {
    /** Ends the current phase and begins another one; nothing while that is the current one. */
    begin: (phase: keyof Phases): void => {
      if (phase === current) return;
      stop();
      current = phase;
    },
    stop,
  };
};

type Stopwatch = ReturnType<typeof createStopwatch>;

/** The request as it is sent. Header values have only characters of Latin-1. */
const serialize = ({ url, method, headers, body }: Request): Buffer => {
  const size = Buffer.byteLength(body);
  const lines = [`${method} ${url.pathname}${url.search} HTTP/1.1`, `Host: ${headers.get("host") ?? url.host}`];
  for (const [name, value] of headers) if (name !== "host") lines.push(`${name}: ${value}`);
  if (!headers.has("accept")) lines.push("Accept: */*");
  lines.push("Connection: close");
  if (!["GET", "HEAD"].includes(method)) lines.push(`Content-Length: ${size}`);
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return size === 0 ? head : Buffer.concat([head, Buffer.from(body)]);
};

/** Bytes of the bodies that all running requests keep together. */
const MAX_KEPT = 256 * MAX_BODY;
let keptByAll = 0;

/**
 * Collects the first bytes of a body from pieces of any size. `add` throws a LocalFailure if all bodies together would take
 * too much memory.
 */
const createBodyBuffer = () => {
  let bytes = Buffer.alloc(0);
  let length = 0;
  return {
    add: (data: Buffer): void => {
      const part = data.subarray(0, MAX_BODY - length);
      if (length + part.length > bytes.length) {
        const size = Math.min(MAX_BODY, Math.max(2 * bytes.length, length + part.length));
        const added = size - bytes.length;
        if (keptByAll + added > MAX_KEPT) throw new LocalFailure("memory");
        keptByAll += added;
        const larger = Buffer.alloc(size);
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      part.copy(bytes, length);
      length += part.length;
    },
    content: (): Buffer => bytes.subarray(0, length),
    /** Counts the bytes as free. To be called once, when the request has ended. */
    release: (): void => {
      keptByAll -= bytes.length;
    },
  };
};

/** Sends a request over a connection, reads the response and closes the connection. */
const exchange = (socket: Socket, request: Request, stopwatch: Stopwatch): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { signal, keepBody } = request;
    const bodyBuffer = createBodyBuffer();
    let size = 0;
    const parser = createResponseParser(request.method, (data) => {
      if (keepBody) bodyBuffer.add(data);
      size += data.length;
      return size >= MAX_BODY;
    });
    let isSettled = false;
    const close = () => {
      isSettled = true;
      bodyBuffer.release();
      signal.removeEventListener("abort", abort);
      socket.destroy();
    };
    const fail = (reason: unknown) => {
      if (isSettled) return;
      close();
      reject(reason);
    };
    const abort = () => fail(signal.reason);
    // The socket reports its end also when it was closed here.
    const guarded = (work: () => boolean) => {
      try {
        if (isSettled || !work()) return;
        const head = parser.head();
        close();
        if (head) resolve({ ...head, body: bodyBuffer.content(), isCut: size >= MAX_BODY });
      } catch (error) {
        fail(error);
      }
    };
    const end = () =>
      guarded(() => {
        parser.end();
        return true;
      });
    socket.on("error", fail);
    socket.on("data", (data: Buffer) => {
      stopwatch.begin("download");
      guarded(() => parser.push(data));
    });
    socket.on("end", end);
    socket.on("close", end);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) return abort();
    stopwatch.begin("firstByte");
    socket.write(serialize(request));
  });

/**
 * Makes one request, without following redirects and without decompressing the body; reads at most MAX_BODY bytes. The connection is closed afterwards.
 * @throws {LookupFailed | NoSuchFamily | LocalFailure | AddressBlocked | CheckFailed}, the error of the connection, or the
 * signal's reason
 */
export const send = async (request: Request, outbound: Outbound): Promise<Response> => {
  const { url, signal, caller, family, acceptSelfSigned, onCertificate, onAddress, onPhase } = request;
  const stopwatch = createStopwatch(onPhase);
  const { host: hostname, port, isSecure } = endpointOf(url);
  try {
    const socket = await outbound.connect({
      hostname,
      port,
      signal,
      caller,
      family,
      onAddress: (address) => {
        stopwatch.begin("connect");
        onAddress(address);
      },
    });
    if (!isSecure) return await exchange(socket, request, stopwatch);
    stopwatch.begin("tls");
    const secure = await upgrade(socket, {
      hostname,
      signal,
      onCertificate,
      ...(acceptSelfSigned && { acceptSelfSigned }),
    });
    return await exchange(secure, request, stopwatch);
  } finally {
    stopwatch.stop();
  }
};
