declare global {
  interface Window {
    /** The answers to the requests that web/head/first-requests.js has sent, by address, and the session that they are for. */
    firstAnswers?: { token: string; answers: Map<string, Promise<Response>> };
  }
}

/** Sends a request, or takes the answer if it was sent before the scripts were loaded. An answer is taken once. */
export const sendOrTake = (
  token: string | null,
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> => {
  const { firstAnswers } = window;
  const isRead = !(input instanceof Request) && (init?.method ?? "GET") === "GET";
  const url = isRead ? new URL(input, document.baseURI).href : "";
  const answer = firstAnswers?.token === token ? firstAnswers?.answers.get(url) : undefined;
  if (!answer) return fetch(input, init);
  firstAnswers?.answers.delete(url);
  return answer.catch(() => fetch(input, init));
};

/** Drops the answers that no screen has taken, before they become old. */
export const dropFirstAnswers = (): void => {
  window.firstAnswers = undefined;
};
