import { isIP, type Socket } from "node:net";
import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from "node:tls";
import { systemClock } from "../../lib/time";
import { plainFingerprint } from "../../shared/certificate";
import { checkError } from "../../shared/check-error";
import { CheckFailed } from "../outcome";
import { readChain, type ServerCertificate } from "./certificate";

/** Errors of chains that end at an issuer that is not trusted. */
const UNTRUSTED = [
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];

export type UpgradeOptions = {
  /** The name or the address that the certificate must be valid for, without brackets. */
  hostname: string;
  signal: AbortSignal;
  /** Called with the server's certificate before it is verified. */
  onCertificate?: (certificate: ServerCertificate) => void;
  /** Accepts certificates of unknown issuers and of other names, but none that has expired. */
  acceptSelfSigned?: boolean;
  /** SHA-256 of the certificate, which is then accepted without a trusted issuer or a name until it expires. */
  fingerprint?: string | undefined;
  /** Protocols that are offered, such as `h2`. */
  alpnProtocols?: string[];
};

/** An error that `failureOf` maps by its code. */
const failed = (code: string) => Object.assign(new Error(code), { code });

/** The code of why the chain is not trusted, which Node.js documents as an error and Bun also gives as text. */
const chainError = ({ authorizationError: error }: TLSSocket): string =>
  typeof error === "string" ? error : ((error as { code?: string } | null)?.code ?? "ERR_TLS_UNVERIFIED");

/** Verifies the certificate of an established connection, whose chain the library has verified. */
const verify = (
  socket: TLSSocket,
  leaf: PeerCertificate,
  certificate: ServerCertificate,
  options: UpgradeOptions,
): void => {
  const { hostname, acceptSelfSigned = false, fingerprint } = options;
  if (fingerprint !== undefined && plainFingerprint(fingerprint) !== certificate.fingerprint)
    throw new CheckFailed(checkError("tls_wrong_fingerprint"));
  const mayBeUntrusted = acceptSelfSigned || fingerprint !== undefined;
  if (!socket.authorized) {
    const code = chainError(socket);
    if (!(mayBeUntrusted && UNTRUSTED.includes(code))) throw failed(code);
  }
  // The library stops at the first error, which may be an accepted one.
  if (certificate.dates !== "valid") throw new CheckFailed(checkError(`tls_${certificate.dates}`));
  if (mayBeUntrusted) return;
  const wrongName = checkServerIdentity(hostname, leaf);
  if (wrongName) throw wrongName;
};

/**
 * Makes a TLS connection over a connected socket, and verifies the server's certificate. The caller handles the errors
 * that the returned socket has afterwards, and closes it; on an error both sockets are closed.
 * @throws {CheckFailed}, the error of the connection or of the certificate, or the signal's reason
 */
export const upgrade = (socket: Socket, options: UpgradeOptions): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const { hostname, signal, onCertificate, alpnProtocols } = options;
    const secure = connect({
      socket,
      // The library continues after an error, so that the certificate can be read before it is verified here.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      ...(isIP(hostname) === 0 && { servername: hostname }),
      ...(alpnProtocols && { ALPNProtocols: alpnProtocols }),
    });
    const settle = () => {
      signal.removeEventListener("abort", abort);
      secure.off("close", onClose);
      secure.off("error", fail);
    };
    const fail = (reason: unknown) => {
      settle();
      secure.on("error", () => {});
      socket.on("error", () => {});
      secure.destroy();
      socket.destroy();
      reject(reason);
    };
    const abort = () => fail(signal.reason);
    const onClose = () => fail(failed("ECONNRESET"));
    secure.once("secureConnect", () => {
      try {
        const leaf = secure.getPeerCertificate(true);
        if (!leaf?.fingerprint256) throw failed("ERR_TLS_NO_CERTIFICATE");
        const certificate = readChain(leaf, systemClock.now(), secure.authorized);
        onCertificate?.(certificate);
        verify(secure, leaf, certificate, options);
        settle();
        resolve(secure);
      } catch (error) {
        fail(error);
      }
    });
    secure.on("error", fail);
    secure.on("close", onClose);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
