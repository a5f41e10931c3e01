/** A certified issuer of OpenID Connect as a process of its own: `bun oidc-provider.ts PORT HUB`. Any name signs in there. */
import Provider from "oidc-provider";

const [port = "", hub = ""] = process.argv.slice(2);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: "wakeful",
      client_secret: "a secret of the tests",
      redirect_uris: [`${hub}/login/oidc`],
      post_logout_redirect_uris: [`${hub}/login`],
      response_types: ["code"],
      grant_types: ["authorization_code"],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["preferred_username", "groups"] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({
      ...{ sub: id, preferred_username: id, email: `${id}@example.com`, email_verified: true },
      groups: id === "grace" ? ["wakeful-admins"] : [],
    }),
  }),
  cookies: { keys: ["a key of the tests"] },
});
provider.listen(Number(port), "127.0.0.1");
