/** The gRPC kind against a server of its own process, made with the usual library and its health service. */
import { expect, it } from "bun:test";
import { createAuthority } from "./lib/authority";
import { grpcServer, redis, vsftpd, webSocketServer } from "./lib/daemons";
import { startProbing } from "./lib/probing";
import { startService } from "./lib/service";

const authority = createAuthority();
const { probe, codeOf } = await startProbing({ NODE_EXTRA_CA_CERTS: authority.cert });

it("a server is up, without an answer while paused, up again, and refused when it has stopped", async () => {
  const service = await startService(grpcServer("with"));
  const url = `http://127.0.0.1:${service.port}`;
  expect(await probe("grpc", { url })).toMatchObject({ up: true, status_code: 200, error: null });
  service.pause();
  expect(await codeOf("grpc", { url }, 1)).toBe("timeout");
  service.resume();
  expect(await codeOf("grpc", { url })).toBe("up");
  await service.stop();
  expect(await codeOf("grpc", { url })).toBe("refused");
});

it("a service that is serving, not serving or unknown, and a server without the health service, are told apart", async () => {
  const [complete, bare] = [await startService(grpcServer("with")), await startService(grpcServer("without"))];
  const code = (service?: string) => codeOf("grpc", { url: `http://localhost:${complete.port}/`, service });
  expect([await code("shop.Orders"), await code("stock"), await code("unknown.Service")]).toEqual([
    "up",
    "grpc_not_serving",
    "grpc_unknown_service",
  ]);
  expect(await codeOf("grpc", { url: `http://127.0.0.1:${bare.port}` })).toBe("grpc_unimplemented");
});

it("a server of another protocol is told apart", async () => {
  for (const plan of [webSocketServer(), vsftpd(), redis()]) {
    const service = await startService(plan);
    expect([plan.program, await codeOf("grpc", { url: `http://127.0.0.1:${service.port}` })]).toEqual([
      plan.program,
      "grpc_invalid",
    ]);
    await service.stop();
  }
});

it("over TLS, a broken certificate and a server without HTTP/2 have their own errors", async () => {
  for (const [code, certificate] of [
    ["up", authority.issue()],
    ["tls_expired", authority.issue({ days: -1 })],
    ["tls_wrong_name", authority.issue({ name: "grpc.example" })],
    ["tls_unknown_issuer", createAuthority().issue()],
  ] as const) {
    const service = await startService(grpcServer("with", certificate));
    const { up, error_code, cert_expires_at } = await probe("grpc", { url: `https://127.0.0.1:${service.port}` });
    expect([up ? "up" : error_code, cert_expires_at !== null]).toEqual([code, true]);
    await service.stop();
  }
  const secure = await startService(webSocketServer(authority.issue()));
  expect(await codeOf("grpc", { url: `https://127.0.0.1:${secure.port}` })).toBe("grpc_invalid");
  const plain = await startService(grpcServer("with"));
  expect(await codeOf("grpc", { url: `https://127.0.0.1:${plain.port}` })).toBe("tls_failed");
});
