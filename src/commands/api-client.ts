/** What commands that call a hub with an API key have in common. */
import { version } from "../build-info";

/** The environment of the process, and how to ask for help. */
type Given = { environment: Record<string, string | undefined>; hint: string };

/** The address of the hub, without a slash at its end. @throws {Error} */
export const readServer = (option: string | undefined, { environment, hint }: Given): string => {
  const url = URL.parse(option ?? environment.WAKEFUL_SERVER ?? "");
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`--server or WAKEFUL_SERVER has to name the hub${hint}`);
  return url.href.replace(/\/+$/, "");
};

/** The first line of a file, or of standard input. */
export const firstLine = async (path: string): Promise<string> => {
  const [line = ""] = (await (path === "-" ? Bun.stdin : Bun.file(path)).text()).split("\n");
  return line.trim();
};

/** The API key in a file, or in the environment. @throws {Error} */
export const readKey = async (path: string | undefined, { environment, hint }: Given): Promise<string> => {
  const key = path === undefined ? environment.WAKEFUL_API_KEY?.trim() : await firstLine(path);
  if (!key) throw new Error(`--key-file or WAKEFUL_API_KEY has to hold an API key of the hub${hint}`);
  return key;
};

/** Calls the hub. @throws {Error} with the reason that the hub gives */
export const call = async <T>(url: string, key: string, init: RequestInit): Promise<T> => {
  const headers = { ...init.headers, authorization: `Bearer ${key}`, "user-agent": `wakeful/${version}` };
  const response = await fetch(url, { ...init, headers }).catch((error: Error) => {
    throw new Error(`the hub can't be reached: ${error.message}`);
  });
  const body = (await response.json().catch(() => ({}))) as { message?: string };
  if (!response.ok) throw new Error(body.message ?? `the hub answered ${response.status}`);
  return body as T;
};

/** A call that sends JSON. */
export const jsonOf = (body: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
