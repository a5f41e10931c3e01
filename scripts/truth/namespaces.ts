/**
 * Words that run a command in namespaces of its own. It is root there and may change networks and mounts. Its processes
 * are killed when it ends, however it ends, and with them their namespaces.
 */
export const ENTER = [
  "unshare",
  "--map-root-user",
  "--net",
  "--mount",
  "--pid",
  "--fork",
  "--kill-child",
  "--mount-proc",
];
