import { type Static, t } from "elysia";
import { field } from "../../../../server/schema";

/** An id of WebAuthn has at most 1,023 bytes. */
const ID_LENGTH = 1364;
const encoded = (maxLength: number) => t.String({ pattern: "^[\\w-]+$", maxLength, error: "expected base64url" });
const clientDataJSON = field(encoded(4000), "What the browser has answered, as base64url.");
const authenticatorData = field(encoded(4000), "What the authenticator has answered, as base64url.");
const id = field(encoded(ID_LENGTH), "The id of the credential, as base64url.");

export const attestationModel = t.Object({
  id,
  response: t.Object({
    clientDataJSON,
    authenticatorData,
    publicKey: field(encoded(1500), "The public key as SubjectPublicKeyInfo, in base64url."),
    transports: t.Optional(
      field(t.Array(t.String({ maxLength: 20 }), { maxItems: 10 }), "How browsers reach the authenticator."),
    ),
  }),
});
/** A new credential, as `PublicKeyCredential.toJSON` has it. Its other fields are ignored. */
export type Attestation = Static<typeof attestationModel>;

export const assertionModel = t.Object({
  id,
  response: t.Object({
    clientDataJSON,
    authenticatorData,
    signature: field(encoded(1500), "The signature, as base64url."),
  }),
});
/** A signature by a credential, as `PublicKeyCredential.toJSON` has it. Its other fields are ignored. */
export type Assertion = Static<typeof assertionModel>;
