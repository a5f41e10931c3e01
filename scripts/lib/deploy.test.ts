/** The files of docs/deploy use what the image has and the hub reads. */
import { expect, it } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readConfig } from "../../src/core/config";
import { startTestServer } from "../../src/testing/servers/hub";
import { bundleInstaller } from "./bundle-script";
import { DEPLOY_FILES } from "./release-papers";

const REPOSITORY = resolve(import.meta.dir, "../..");
const read = (path: string) => readFileSync(join(REPOSITORY, path), "utf8");

type Service = {
  image?: string;
  ports?: string[];
  volumes?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string | string[] };
  depends_on?: string[] | Record<string, object>;
};
type Compose = { services: Record<string, Service>; volumes?: Record<string, null> };

const dockerfile = read("Dockerfile");
const [, port = ""] = /^EXPOSE (\d+)$/m.exec(dockerfile) ?? [];
const [, data = ""] = /^VOLUME (\S+)$/m.exec(dockerfile) ?? [];
const [, health = ""] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile) ?? [];

/** Replaces what Compose takes from its environment. */
const substitute = (value: string) =>
  value.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, __, kind, fallback) => (kind === "-" ? fallback : "secret"));

const assertAccepted = (file: string, environment: Record<string, string>) => {
  const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, substitute(value)]));
  const { misspelled } = readConfig(env);
  expect([file, misspelled]).toEqual([file, []]);
  // A variable that is nothing like a setting is not reported as misspelled.
  const known = read("docs/settings.md");
  for (const name of Object.keys(env)) expect([file, name, known.includes(`\`${name}\``)]).toEqual([file, name, true]);
};

it("every file of docs/deploy is published", () => {
  expect(readdirSync(join(REPOSITORY, "docs/deploy")).toSorted()).toEqual(DEPLOY_FILES.toSorted());
});

it("files of Compose give Wakeful settings that it accepts, the port and the folder of the image, and a health check", () => {
  for (const file of ["compose.yaml", "compose.postgres.yaml"]) {
    const { services, volumes = {} } = Bun.YAML.parse(read(`docs/deploy/${file}`)) as Compose;
    const { wakeful } = services;
    assertAccepted(file, wakeful?.environment ?? {});
    expect(wakeful?.ports?.map((mapping) => mapping.split(":").at(-1))).toEqual([port]);
    expect(wakeful?.healthcheck?.test).toEqual(["CMD", ...JSON.parse(health)]);
    for (const service of Object.values(services)) {
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(service.depends_on ?? {})));
      for (const volume of service.volumes ?? [])
        expect(Object.keys(volumes)).toContain(volume.split(":")[0] as string);
    }
  }
  const { services } = Bun.YAML.parse(read("docs/deploy/compose.yaml")) as Compose;
  expect(services.wakeful?.volumes).toEqual([`wakeful:${data}`]);
});

it("the file for several instances changes services that the one for PostgreSQL has", () => {
  // Compose removes the ports of the other file by a tag that Bun does not know.
  const { services } = Bun.YAML.parse(read("docs/deploy/compose.instances.yaml").replace("!reset ", "")) as Compose;
  const { services: others } = Bun.YAML.parse(read("docs/deploy/compose.postgres.yaml")) as Compose;
  assertAccepted("compose.instances.yaml", services.wakeful?.environment ?? {});
  expect(Object.keys(services).filter((name) => !services[name]?.image)).toEqual(["wakeful"]);
  expect(Object.keys(others)).toContain("wakeful");
});

type Claim = { kind: string; metadata: { name: string } };
type Selected = {
  kind: string;
  spec: { selector: Record<string, string>; ports: { targetPort: string }[] };
};
type Deployment = {
  kind: string;
  spec: {
    selector: { matchLabels: Record<string, string> };
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        containers: Container[];
        volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[];
      };
    };
  };
};
type Probe = { httpGet: { path: string; port: string } };
type Container = {
  ports: { name: string; containerPort: number }[];
  env: { name: string; value: string }[];
  volumeMounts: { name: string; mountPath: string }[];
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
};

it("the objects for Kubernetes fit each other, and probe paths that the hub answers", async () => {
  const objects = Bun.YAML.parse(read("docs/deploy/kubernetes.yaml")) as [Claim, Selected, Deployment];
  const [claim, service, deployment] = objects;
  expect(objects.map(({ kind }) => kind)).toEqual(["PersistentVolumeClaim", "Service", "Deployment"]);
  const pod = deployment.spec.template;
  expect(deployment.spec.selector.matchLabels).toEqual(pod.metadata.labels);
  expect(service.spec.selector).toEqual(pod.metadata.labels);
  const [container] = pod.spec.containers;
  if (!container) throw new Error("there is no container");
  expect(container.ports).toEqual([{ name: service.spec.ports[0]?.targetPort as string, containerPort: Number(port) }]);
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toContain(data);
  expect(pod.spec.volumes.map(({ name }) => name)).toEqual(container.volumeMounts.map(({ name }) => name));
  expect(pod.spec.volumes[0]?.persistentVolumeClaim?.claimName).toBe(claim.metadata.name);
  assertAccepted("kubernetes.yaml", Object.fromEntries(container.env.map(({ name, value }) => [name, value])));
  const server = await startTestServer({ PUBLIC_URL: "https://watch.example.com" });
  for (const { httpGet } of [container.startupProbe, container.readinessProbe, container.livenessProbe]) {
    expect(httpGet.port).toBe("http");
    const { status } = await fetch(`http://127.0.0.1:${server.port}${httpGet.path}`);
    expect([httpGet.path, status]).toEqual([httpGet.path, 200]);
  }
});

it("all YAML in the documents can be read, and plays call the install script with options that it has", () => {
  const texts = [...read("docs/integrations.md").matchAll(/^( *)```yaml\n([\s\S]*?)^\1```$/gm)];
  expect(texts.length).toBeGreaterThan(3);
  const script = bundleInstaller("", "");
  for (const [, indent = "", text = ""] of texts) {
    expect(() => Bun.YAML.parse(text.replaceAll(new RegExp(`^${indent}`, "gm"), ""))).not.toThrow();
    for (const [, words = ""] of text.matchAll(/wakeful-hub\/install\.sh(.*)$/gm))
      for (const [option] of words.matchAll(/--[a-z-]+/g)) expect(script).toContain(`${option} `);
  }
});
