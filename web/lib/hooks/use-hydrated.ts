import { useSyncExternalStore } from "react";

const subscribe = () => () => {};

/**
 * False while a document rendered by the server is being hydrated, then true. Anything the server cannot know, such as the
 * session and the time zone, is rendered only when it is true.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
