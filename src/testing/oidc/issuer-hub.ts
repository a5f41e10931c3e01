import { createTestApp } from "../app";
import type { TestUser } from "../fixtures/people";
import { serveIssuer } from "./issuer";

/** A hub whose users sign in at an issuer. */
export const startWithIssuer = async (env: Record<string, string> = {}) => {
  const issuer = serveIssuer();
  const app = await createTestApp({
    env: {
      ...{ OIDC_ISSUER: issuer.origin, OIDC_CLIENT_ID: "wakeful", OIDC_CLIENT_SECRET: "a secret" },
      ...{ OIDC_NAME: "Authentik", OIDC_AUTO_CREATE: "1", PUBLIC_URL: "https://watch.example", ...env },
    },
  });
  const begin = async () => (await app.anybody.post("/api/auth/oidc/start")).body;
  /** Signs in at the issuer. */
  const signIn = async () => {
    const { url, ticket } = await begin();
    return app.anybody.post("/api/auth/oidc/callback", { ticket, query: issuer.authorize(url) });
  };
  const link = async (user: TestUser) => {
    const client = app.as(user);
    const { url, ticket } = (await client.post("/api/auth/oidc/link/start")).body;
    return client.post("/api/auth/oidc/link/callback", { ticket, query: issuer.authorize(url) });
  };
  return { app, issuer, begin, signIn, link };
};

/** With an account, so that no one becomes administrator by being the first. */
export const startWithPeople = async (env?: Record<string, string>) => {
  const started = await startWithIssuer(env);
  return { ...started, ...(await started.app.people()) };
};
