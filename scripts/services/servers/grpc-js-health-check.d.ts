declare module "grpc-js-health-check" {
  import type { ServiceDefinition, UntypedServiceImplementation } from "@grpc/grpc-js";

  export const service: ServiceDefinition;
  export const Implementation: new (
    statuses: Record<string, "SERVING" | "NOT_SERVING" | "UNKNOWN">,
  ) => UntypedServiceImplementation;
}
