import { onTestFinished } from "bun:test";
import { createAuthenticator } from "../../src/testing/fixtures/factors/authenticator";

type Options = Record<"publicKey", never>;

/** Gives the page a browser with passkeys until the end of the test, and returns the authenticator that signs for it. */
export const addDevice = () => {
  const key = createAuthenticator({ origin: "http://localhost", host: "localhost" });
  const same = (options: object) => options;
  const stubs = [
    [window, "isSecureContext", true],
    [window, "PublicKeyCredential", { parseCreationOptionsFromJSON: same, parseRequestOptionsFromJSON: same }],
    [
      navigator,
      "credentials",
      {
        create: async ({ publicKey }: Options) => ({ toJSON: () => key.create(publicKey) }),
        get: async ({ publicKey }: Options) => ({ toJSON: () => key.get(publicKey) }),
      },
    ],
  ] as const;
  for (const [target, name, value] of stubs) {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value, configurable: true });
    onTestFinished(() => {
      if (before) Object.defineProperty(target, name, before);
      else Reflect.deleteProperty(target, name);
    });
  }
  return key;
};
