/** A certificate authority of the tests, and servers' certificates that it issues. */
import { afterAll } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./service";

/** The paths of a certificate with its chain, and of its key. Every user may read them: they are of no worth. */
export type Certificate = { cert: string; key: string };

/** The settings of a hub that trusts the authority are `{ NODE_EXTRA_CA_CERTS: authority.cert }`. */
export const createAuthority = () => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-authority-"));
  chmodSync(folder, 0o755);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const openssl = (command: string) => run(["openssl", ...command.split(" ")], folder);
  const request = (name: string, subject: string) =>
    `req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=${subject} -keyout ${name}.key -out ${name}.csr`;

  openssl(`${request("ca", "Tests")} -x509 -days 30 -out ca.pem`);
  let count = 0;

  return {
    cert: join(folder, "ca.pem"),
    /** Issues a certificate for `localhost` and 127.0.0.1, or for another name. With negative days it has expired. */
    issue: ({ name = "localhost", days = 20 }: { name?: string; days?: number } = {}): Certificate => {
      const file = `leaf${++count}`;
      openssl(request(file, name));
      const names = name === "localhost" ? "DNS:localhost,IP:127.0.0.1" : `DNS:${name}`;
      writeFileSync(join(folder, `${file}.ext`), `subjectAltName=${names}\nbasicConstraints=CA:FALSE\n`);
      openssl(
        `x509 -req -in ${file}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days ${days} -extfile ${file}.ext -out ${file}.pem`,
      );
      chmodSync(join(folder, `${file}.key`), 0o644);
      return { cert: join(folder, `${file}.pem`), key: join(folder, `${file}.key`) };
    },
  };
};
