import type { Deps } from "../../deps";

type Server = { requestIP(request: Request): { address: string } | null } | null;

/** Where a request comes from. A proxy's word counts only when the operator trusts it, and only its own last entry. */
export const clientAddress = ({ config }: Deps, request: Request, server: Server): string => {
  const forwarded = config.trustProxy && request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
  return forwarded || server?.requestIP(request)?.address || "unknown";
};
