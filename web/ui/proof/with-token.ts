import { session, signIn } from "../../session";

/** Goes on with the token of an answer, which replaces the session's after a proof or a change of second factors. */
export const withToken = <T extends object>(answer: T): T => {
  const { user } = session();
  if (user && "token" in answer && typeof answer.token === "string") signIn(answer.token, user);
  return answer;
};
