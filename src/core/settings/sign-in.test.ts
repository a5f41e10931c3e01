import { describe, expect, it } from "bun:test";
import { readConfig } from "../config";

const OIDC = { OIDC_ISSUER: "https://auth.example", OIDC_CLIENT_ID: "wakeful", PUBLIC_URL: "https://watch.example" };
const HEADER = { AUTH_HEADER: "Remote-User", TRUSTED_PROXIES: "10.0.0.1" };
const read = (env: Record<string, string>) => readConfig({ DATA_DIR: "/tmp", ...env });

describe("the start fails with", () => {
  it.each([
    ["an issuer without a client", { ...OIDC, OIDC_CLIENT_ID: "" }, "OIDC_CLIENT_ID"],
    ["an issuer without a public address", { ...OIDC, PUBLIC_URL: "" }, "PUBLIC_URL"],
    ["an issuer that is no address", { ...OIDC, OIDC_ISSUER: "auth.example" }, "OIDC_ISSUER"],
    ["a password in the issuer's address", { ...OIDC, OIDC_ISSUER: "https://a:b@auth.example" }, "OIDC_ISSUER"],
    ["scopes without openid", { ...OIDC, OIDC_SCOPES: "profile" }, "OIDC_SCOPES"],
    ["a header without proxies", { ...HEADER, TRUSTED_PROXIES: "" }, "TRUSTED_PROXIES"],
    ["a header from every address", { ...HEADER, TRUSTED_PROXIES: "0.0.0.0/0" }, "TRUSTED_PROXIES"],
    ["the name of a header with a space", { ...HEADER, AUTH_HEADER: "Remote User" }, "AUTH_HEADER"],
    ["roles by a header without groups", { ...HEADER, AUTH_HEADER_TEAMS: "ops=12:editor" }, "AUTH_HEADER_GROUPS"],
    ["a header and passwords", { ...HEADER, PASSWORD_LOGIN: "on" }, "PASSWORD_LOGIN"],
    ["a header and an issuer", { ...OIDC, ...HEADER }, "AUTH_HEADER"],
    ["no way to sign in", { PASSWORD_LOGIN: "off" }, "PASSWORD_LOGIN"],
    ["no way to sign in for users", { PASSWORD_LOGIN: "admins" }, "PASSWORD_LOGIN"],
  ])("%s", (_, env, name) => {
    expect(() => read(env)).toThrow(name);
  });

  it.each([
    "ops",
    "ops=12",
    "ops=12:",
    "ops=12:admin",
    "=12:editor",
    "ops=shop:editor",
    "ops=0:viewer",
    "ops=1:viewer b",
  ])("roles in teams such as %s", (value) => {
    expect(() => read({ ...OIDC, OIDC_TEAMS: value })).toThrow("OIDC_TEAMS");
    expect(() => read({ ...HEADER, AUTH_HEADER_TEAMS: value })).toThrow("AUTH_HEADER_TEAMS");
  });
});

it("OIDC_TEAMS names groups of any form", () => {
  const teams = "ops=12:editor, cn=ops,ou=groups,dc=example=12:owner , /shop/on call=3:viewer";
  expect(read({ ...OIDC, OIDC_TEAMS: teams }).oidc.teams).toEqual([
    { group: "ops", teamId: 12, role: "editor" },
    { group: "cn=ops,ou=groups,dc=example", teamId: 12, role: "owner" },
    { group: "/shop/on call", teamId: 3, role: "viewer" },
  ]);
  expect(read(OIDC).oidc.teams).toEqual([]);
});
