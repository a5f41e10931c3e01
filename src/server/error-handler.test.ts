import { describe, expect, it } from "bun:test";
import { createTestApp } from "../testing/app";
import { call } from "../testing/client";

describe("a path whose routes have other methods", () => {
  it("answers 405 with the methods that it has in Allow", async () => {
    const { send } = await createTestApp();
    for (const [method, path, allow] of [
      ["PATCH", "/api/monitors/1", "GET, HEAD, PUT, DELETE"],
      ["OPTIONS", "/api/monitors", "GET, HEAD, POST"],
      ["PUT", "/api/monitors/", "GET, HEAD, POST"],
      ["GET", "/api/auth/login", "POST"],
      ["HEAD", "/api/auth/login", "POST"],
      ["DELETE", "/api/keys", "GET, HEAD, POST"],
      ["PATCH", "/api/agents/tokens/1", "DELETE"],
      ["POST", "/health", "GET, HEAD"],
    ] as const) {
      const answer = await call(send, path, { method });
      const expected = [method, path, 405, "method_not_allowed", allow];
      expect([method, path, answer.status, answer.body.code, answer.headers.get("allow")]).toEqual(expected);
    }
  });
});

describe("the WWW-Authenticate header of a 401", () => {
  it("has no error where no credentials were sent, and otherwise invalid_token with the code as description", async () => {
    const { send } = await createTestApp();
    const headerOf = async (headers: Record<string, string>) =>
      (await call(send, "/api/auth/me", { headers })).headers.get("www-authenticate");
    expect(await headerOf({})).toBe("Bearer");
    for (const authorization of ["Bearer x", "Bearer wk_x", "Basic eDp5"])
      expect(await headerOf({ authorization })).toBe('Bearer error="invalid_token", error_description="unauthorized"');
  });
});
