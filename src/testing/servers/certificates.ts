import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Wanted = { name: string; days: number };

const openssl = (directory: string, command: string): void => {
  const { success, stderr } = Bun.spawnSync(["openssl", ...command.split(" ")], { cwd: directory });
  if (!success) throw new Error(`openssl ${command}: ${stderr}`);
};

/** A self-signed certificate and its key. With negative days it has expired. */
export const makeCertificate = ({ name, days }: Wanted): { key: string; cert: string } => {
  const directory = mkdtempSync(join(tmpdir(), "wakeful-certificate-"));
  try {
    openssl(
      directory,
      `req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=${name} -addext subjectAltName=DNS:${name} -keyout key.pem -out request.pem`,
    );
    openssl(
      directory,
      `x509 -req -in request.pem -signkey key.pem -copy_extensions copyall -days ${days} -out cert.pem`,
    );
    const read = (file: string) => readFileSync(join(directory, file), "utf8");
    return { key: read("key.pem"), cert: read("cert.pem") };
  } finally {
    rmSync(directory, { recursive: true });
  }
};
