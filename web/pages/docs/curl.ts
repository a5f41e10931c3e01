import type { Call } from "./document";

/** A text as a POSIX shell takes it literally. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The call's example as a command for a shell; the token or key stands in a variable. */
export const curlOf = (call: Call, origin: string): string => {
  const { method, path, parameters = [], requestBody, security } = call;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(parameters.find((one) => one.name === name)?.example)),
  );
  const query = parameters
    .filter((one) => one.in === "query" && one.example !== undefined)
    .map((one) => `${one.name}=${encodeURIComponent(String(one.example))}`);
  const address = origin + filled + (query.length > 0 ? `?${query.join("&")}` : "");
  const body = requestBody?.content["application/json"].example;
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quote(address)}`,
    ...(security.length > 0
      ? [`-H "Authorization: Bearer $${"agentKey" in (security[0] ?? {}) ? "AGENT_KEY" : "TOKEN"}"`]
      : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body, null, 2))}`] : []),
  ].join(" \\\n  ");
};
