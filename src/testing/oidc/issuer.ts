import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { serveTarget } from "../servers/targets";

type Claims = Record<string, unknown>;
type Key = { kid: string; publicKey: KeyObject; privateKey: KeyObject };

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

let made: Key[] | undefined;
/** Two key pairs for all tests of a process, because generating one takes long. */
const keyPairs = (): Key[] => {
  made ??= ["first", "second"].map((kid) => ({ kid, ...generateKeyPairSync("rsa", { modulusLength: 2048 }) }));
  return made;
};

const signRs256 = (signed: string, { privateKey }: Key): string =>
  sign("RSA-SHA256", Buffer.from(signed), privateKey).toString("base64url");

/** Signs with the public key as if it were a shared secret. */
export const signWithPublicKey = (signed: string, { publicKey }: Key): string =>
  createHmac("sha256", publicKey.export({ type: "spki", format: "pem" }))
    .update(signed)
    .digest("base64url");

/** False answers of the issuer, and the user who signs in there. */
type Lies = {
  /** The user's claims. */
  user: Claims;
  /** Claims of the token in place of the right ones; undefined leaves one out. */
  claims: (right: Claims) => Claims;
  header: Claims;
  sign: (signed: string, key: Key) => string;
  /** The key that signs, and those that the issuer publishes, as indexes. */
  signedBy: number;
  published: number[];
  /** Fields of the metadata. */
  metadata: Claims;
  userinfo: Claims;
  /** Answers of paths in place of the right ones. */
  answers: Record<string, () => Response>;
};

const TRUTH = (): Lies => ({
  user: { sub: "alice-1", preferred_username: "alice", email: "alice@example.com", email_verified: true },
  claims: (right) => right,
  header: {},
  sign: signRs256,
  signedBy: 0,
  published: [0],
  metadata: {},
  userinfo: {},
  answers: {},
});

/**
 * An issuer of OpenID Connect on loopback. `authorize` does what its user and the browser do: it takes the address of the
 * authorization endpoint, and returns the query of the redirect. `lies` may be changed while it runs.
 */
export const serveIssuer = () => {
  const keys = keyPairs();
  const lies = TRUTH();
  const codes = new Map<string, { nonce: string; challenge: string; user: Claims }>();

  const tokenFor = (nonce: string, { sub, ...user }: Claims): string => {
    const now = Math.floor(Date.now() / 1000);
    const right = { iss: target.origin, aud: "wakeful", sub, nonce, iat: now, exp: now + 300, ...user };
    const key = keys[lies.signedBy] as Key;
    const signed = `${encode({ alg: "RS256", typ: "JWT", kid: key.kid, ...lies.header })}.${encode(lies.claims(right))}`;
    return `${signed}.${lies.sign(signed, key)}`;
  };

  const exchange = (body: string): Response => {
    const sent = new URLSearchParams(body);
    const code = codes.get(sent.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(sent.get("code_verifier") ?? "")
      .digest("base64url");
    if (!code || code.challenge !== challenge) return Response.json({ error: "invalid_grant" }, { status: 400 });
    codes.delete(sent.get("code") ?? "");
    const access_token = `token of ${code.user.sub}`.slice(0, 40);
    return Response.json({ access_token, token_type: "Bearer", id_token: tokenFor(code.nonce, code.user) });
  };

  const answers: Record<string, (body: string) => Response> = {
    "/.well-known/openid-configuration": () =>
      Response.json({
        ...{ issuer: target.origin, authorization_endpoint: `${target.origin}/authorize` },
        ...{ token_endpoint: `${target.origin}/token`, jwks_uri: `${target.origin}/jwks` },
        ...{ userinfo_endpoint: `${target.origin}/userinfo`, end_session_endpoint: `${target.origin}/logout` },
        ...{ response_types_supported: ["code"], subject_types_supported: ["public"] },
        id_token_signing_alg_values_supported: ["RS256"],
        ...lies.metadata,
      }),
    "/jwks": () =>
      Response.json({
        keys: lies.published.map((index) => {
          const { kid, publicKey } = keys[index] as Key;
          return { ...publicKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" };
        }),
      }),
    "/token": exchange,
    "/userinfo": () => Response.json({ ...lies.user, ...lies.userinfo }),
  };

  const target = serveTarget((_, { path, body }) => {
    const answer = lies.answers[path] ?? answers[path];
    return answer?.(body) ?? new Response(null, { status: 404 });
  });

  const authorize = (address: string): string => {
    const { searchParams } = new URL(address);
    const code = crypto.randomUUID();
    codes.set(code, {
      nonce: searchParams.get("nonce") ?? "",
      challenge: searchParams.get("code_challenge") ?? "",
      user: { ...lies.user },
    });
    return new URLSearchParams({ code, state: searchParams.get("state") ?? "" }).toString();
  };

  return { ...target, lies, authorize, tellTruth: () => void Object.assign(lies, TRUTH()) };
};
