import type { ServiceEnvironment } from "../config";
import type { Deps } from "../deps";
import { describeError } from "../errors";

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0x80000;
const MSG_NOSIGNAL = 0x4000;
/** The longest address of a Unix socket, without its family. */
const LONGEST_PATH = 108;

/** A sockaddr_un. A leading `@` stands for the zero byte of an abstract address, which has no zero byte at its end. */
export const socketAddress = (path: string): Uint8Array => {
  const name = Buffer.from(path.startsWith("@") ? `\0${path.slice(1)}` : `${path}\0`);
  if (!/^[/@]./.test(path) || name.length > LONGEST_PATH) throw new Error(`${path} is no address of a Unix socket`);
  return Buffer.concat([new Uint8Array(new Uint16Array([AF_UNIX]).buffer), name]);
};

/** The C library of this process, by the names that it has on Linux. */
const LIBRARIES = [
  "libc.so.6",
  `/lib/ld-musl-${process.arch === "x64" ? "x86_64" : "aarch64"}.so.1`,
  `libc.musl-${process.arch === "x64" ? "x86_64" : "aarch64"}.so.1`,
];

type Library = {
  socket: (domain: number, type: number, protocol: number) => number;
  sendto: (
    descriptor: number,
    message: Uint8Array,
    length: number,
    flags: number,
    address: Uint8Array,
    size: number,
  ) => number | bigint;
  close: (descriptor: number) => number;
};

const openLibrary = async (isMusl: boolean): Promise<Library> => {
  // Loaded only where a service manager waits.
  const { dlopen } = await import("bun:ffi");
  let failure: unknown;
  for (const name of isMusl ? LIBRARIES.slice(1) : LIBRARIES)
    try {
      const { symbols } = dlopen(name, {
        socket: { args: ["int", "int", "int"], returns: "int" },
        sendto: { args: ["int", "ptr", "usize", "int", "ptr", "u32"], returns: "i64" },
        close: { args: ["int"], returns: "int" },
      });
      return symbols as unknown as Library;
    } catch (error) {
      failure = error;
    }
  throw failure;
};

/** Tells the service manager how this process stands. */
export type ServiceManager = {
  notify: (state: "READY=1" | "STOPPING=1" | "WATCHDOG=1") => void;
  /** Seconds between two signs of life; null: it waits for none. */
  watchdog: number | null;
};

/**
 * Connects to the service manager by the protocol of sd_notify(3). Bun has no datagrams of Unix sockets, so the C library sends them.
 * Null without a service manager that waits for messages.
 */
export const connectServiceManager = async (
  { NOTIFY_SOCKET: path, WATCHDOG_USEC: limit }: ServiceEnvironment,
  { log }: Pick<Deps, "log">,
  isMusl: boolean,
): Promise<ServiceManager | null> => {
  if (!path || process.platform !== "linux") return null;
  try {
    const libc = await openLibrary(isMusl);
    const address = socketAddress(path);
    const notify: ServiceManager["notify"] = (state) => {
      const message = Buffer.from(state);
      const descriptor = libc.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      const sent = libc.sendto(descriptor, message, message.length, MSG_NOSIGNAL, address, address.length);
      libc.close(descriptor);
      if (Number(sent) < 0) log.warn("the service manager could not be notified", { state });
    };
    const seconds = Number(limit) / 1e6;
    return { notify, watchdog: seconds > 0 ? Math.max(1, Math.floor(seconds / 3)) : null };
  } catch (error) {
    log.error("the service manager can't be notified", { error: describeError(error) });
    return null;
  }
};
