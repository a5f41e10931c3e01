import { readBounded } from "../../runtime";

/** Milliseconds for one answer. */
const TIMEOUT_MS = 5000;
/** Bytes of an answer. */
const LARGEST = { list: 8_000_000, details: 500_000 };

/** An identifier becomes a part of a path, so nothing else may stand there. */
const ID = /^[0-9a-f]{12,64}$/;

/** Reasons by error code. */
const REASONS: Record<string, string> = {
  ENOENT: "there is no such socket",
  EACCES: "this program's user may not open it",
  ECONNREFUSED: "nothing listens there",
  ConnectionRefused: "nothing listens there",
  TimeoutError: "it does not answer within 5 s",
};

const reasonOf = (error: unknown): string => {
  const { name = "", code = "", message = "" } = error as { name?: string; code?: string; message?: string };
  return REASONS[code] ?? REASONS[name] ?? (message || code);
};

/**
 * The calls of a container engine's API that the agent makes; all of them only read. `address` is the path of a socket, or
 * the origin of a proxy. https://docs.docker.com/reference/api/engine/
 */
export const createEngine = (address: string) => {
  const [origin, unix] = address.startsWith("/") ? ["http://localhost", address] : [address, undefined];
  const get = async (path: string, largest: number, signal?: AbortSignal): Promise<unknown> => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${origin}${path}`, {
      ...(unix ? { unix } : {}),
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await readBounded(response.body ?? [], largest);
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    if (text === null) throw new Error(`its answer has more than ${largest / 1_000_000} MB`);
    return JSON.parse(text);
  };
  const pathOf = (id: string, call: string): string => {
    if (!ID.test(id)) throw new Error("no identifier of a container");
    return `/containers/${id}/${call}`;
  };
  return {
    /** The newest containers, also those that do not run. */
    list: async (limit: number): Promise<unknown> => {
      try {
        return await get(`/containers/json?all=1&limit=${limit}`, LARGEST.list);
      } catch (error) {
        throw new Error(`${address}: ${reasonOf(error)}`);
      }
    },
    /** Large, because it also has the container's configuration, which is not used. */
    inspect: (id: string, signal: AbortSignal): Promise<unknown> => get(pathOf(id, "json"), LARGEST.details, signal),
    stats: (id: string, signal: AbortSignal): Promise<unknown> =>
      get(pathOf(id, "stats?stream=false&one-shot=true"), LARGEST.details, signal),
  };
};

export type Engine = ReturnType<typeof createEngine>;

export const isId = (value: unknown): value is string => typeof value === "string" && ID.test(value);
