import "./test-dom";
import { createTestApp } from "../../src/testing/app";
import { PASSWORD, type TestUser } from "../../src/testing/fixtures/people";
import { signIn, signOut } from "../session";
import { fakeServer } from "./test-dom";

export { PASSWORD };

type Options = Parameters<typeof createTestApp>[0];

/**
 * Starts a hub on an empty database that answers the calls of the page until the test ends. Tests of what the page sends
 * and shows use it: they fail when a field of the API changes. Monitors are not checked. `fakeServer` makes the answers
 * that a hub gives rarely.
 */
export const startHub = async (options: Options = {}) => {
  const hub = await createTestApp(options);
  // A saved monitor would be checked at any moment of the test.
  Object.assign(hub.engine, { tick: async () => {}, restart: () => {} } satisfies Partial<typeof hub.engine>);
  fakeServer.answer(hub.send);
  signOut();
  return {
    ...hub,
    /** Signs the page in as a user of `people`, with the user's data as the sign-in answers it. */
    signIn: async (user: TestUser): Promise<void> => {
      const { body } = await hub.as(user).get("/api/auth/me");
      signIn(user.token, body.user);
    },
    /** Makes the next call that changes something fail with an internal error, but not the page's own of its time zone. */
    failNextChange: (): void =>
      fakeServer.answer((request) => {
        if (request.method === "GET" || request.url.endsWith("/time-zone")) return hub.send(request);
        fakeServer.answer(hub.send);
        return Response.json({ success: false, code: "internal", message: "" }, { status: 500 });
      }),
  };
};

/** Starts a hub with three users, and signs the page in as one of them: alice is the administrator. */
export const startHubAs = async (name: "alice" | "bob" | "charlie", options: Options = {}) => {
  const hub = await startHub(options);
  const people = await hub.people();
  const user = people[name];
  await hub.signIn(user);
  return { ...hub, ...people, user, client: hub.as(user) };
};

/** The calls of this test that change something. */
export const changes = () => fakeServer.calls.filter(({ method }) => method !== "GET");
