import { useSyncExternalStore } from "react";

const subscribe = () => () => {};

/**
 * False while a document rendered by the server is being hydrated, and true from then on. What the server cannot know,
 * such as the session and the time zone, is rendered only when it holds.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
