/** A gRPC server as a process of its own: PORT with|without [CERTIFICATE KEY], with or without the health service. */
import { readFileSync } from "node:fs";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { Implementation, service } from "grpc-js-health-check";

const [port, health, certificate, key] = process.argv.slice(2);
const server = new Server();
if (health === "with")
  server.addService(service, new Implementation({ "": "SERVING", "shop.Orders": "SERVING", stock: "NOT_SERVING" }));
const credentials =
  certificate && key
    ? ServerCredentials.createSsl(null, [{ cert_chain: readFileSync(certificate), private_key: readFileSync(key) }])
    : ServerCredentials.createInsecure();
server.bindAsync(`127.0.0.1:${port}`, credentials, (error) => {
  if (error) throw error;
});
