import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Wanted = { name: string; days: number };
type Pair = { key: string; cert: string };

const openssl = (directory: string, command: string): void => {
  const { success, stderr } = Bun.spawnSync(["openssl", ...command.split(" ")], { cwd: directory });
  if (!success) throw new Error(`openssl ${command}: ${stderr}`);
};

/** Runs `make` with a directory that exists until it ends, and a function that reads a file of it. */
const inDirectory = <T>(make: (directory: string, read: (file: string) => string) => T): T => {
  const directory = mkdtempSync(join(tmpdir(), "wakeful-certificate-"));
  try {
    return make(directory, (file) => readFileSync(join(directory, file), "utf8"));
  } finally {
    rmSync(directory, { recursive: true });
  }
};

const NEW_KEY = "req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

/** A self-signed certificate and its key. With negative days it has expired. */
export const makeCertificate = ({ name, days }: Wanted): Pair =>
  inDirectory((directory, read) => {
    const altName = `-addext subjectAltName=DNS:${name}`;
    openssl(directory, `${NEW_KEY} -subj /CN=${name} ${altName} -keyout key.pem -out request.pem`);
    openssl(
      directory,
      `x509 -req -in request.pem -signkey key.pem -copy_extensions copyall -days ${days} -out cert.pem`,
    );
    return { key: read("key.pem"), cert: read("cert.pem") };
  });

/**
 * A certification authority with an intermediate of its own, which issues certificates. `cert` of an issued one is the
 * chain that a server sends: the leaf and the intermediate.
 */
export const makeAuthority = ({ intermediateDays }: { intermediateDays: number }) => {
  const ca = "-addext basicConstraints=critical,CA:TRUE";
  const issue = (directory: string, file: string, issuer: string, days: number) =>
    openssl(
      directory,
      `x509 -req -in ${file}.csr -CA ${issuer}.pem -CAkey ${issuer}.key -set_serial 0x${crypto.randomUUID().replaceAll("-", "")} -copy_extensions copyall -days ${days} -out ${file}.pem`,
    );
  const files = inDirectory((directory, read) => {
    openssl(directory, `${NEW_KEY} -x509 -subj /CN=Root ${ca} -days 3650 -keyout root.key -out root.pem`);
    openssl(directory, `${NEW_KEY} -subj /CN=Intermediate ${ca} -keyout intermediate.key -out intermediate.csr`);
    issue(directory, "intermediate", "root", intermediateDays);
    return { root: read("root.pem"), intermediate: read("intermediate.pem"), key: read("intermediate.key") };
  });
  return {
    root: files.root,
    intermediate: files.intermediate,
    issue: ({ name, days }: Wanted): Pair & { leaf: string } =>
      inDirectory((directory, read) => {
        writeFileSync(join(directory, "issuer.pem"), files.intermediate);
        writeFileSync(join(directory, "issuer.key"), files.key);
        const altName = `-addext subjectAltName=DNS:${name}`;
        openssl(directory, `${NEW_KEY} -subj /CN=${name} ${altName} -keyout leaf.key -out leaf.csr`);
        issue(directory, "leaf", "issuer", days);
        const leaf = read("leaf.pem");
        return { key: read("leaf.key"), leaf, cert: leaf + files.intermediate };
      }),
  };
};
