import { expect, it } from "bun:test";
import { type Call, curlOf } from "./document";

const callOf = (more: object) => ({ method: "GET", path: "/api/monitors", security: [], ...more }) as unknown as Call;
const origin = "https://watch.example.com/up";

it("the command of a call without parameters, body and secret names its address alone", () => {
  expect(curlOf(callOf({}), origin)).toBe(`curl '${origin}/api/monitors'`);
});

it("the command has the secret in a variable, and the examples of parameters in the address", () => {
  const parameters = [
    { name: "id", in: "path", example: 3 },
    { name: "search", in: "query", example: "a b&c" },
    { name: "limit", in: "query" },
  ];
  const call = callOf({ path: "/api/monitors/{id}/checks", parameters, security: [{ session: [] }] });
  expect(curlOf(call, origin)).toBe(
    `curl '${origin}/api/monitors/3/checks?search=a%20b%26c' \\\n  -H "Authorization: Bearer $TOKEN"`,
  );
  expect(curlOf(callOf({ security: [{ agentKey: [] }] }), origin)).toInclude("$AGENT_KEY");
});

it("the command sends a body unchanged, also with quotes, dollar signs and backticks", () => {
  const body = { name: 'it\'s $HOME `id` \\ "quoted"\n' };
  const call = callOf({ method: "POST", requestBody: { content: { "application/json": { example: body } } } });
  const command = curlOf(call, origin).replace(/^curl -X POST/, "printf '%s\\n'");
  const words = Bun.spawnSync(["sh", "-c", command]).stdout.toString();
  expect(JSON.parse(words.slice(words.indexOf("{")))).toEqual(body);
});
