import { CallError } from "../../api";
import { withToken } from "./with-token";

/**
 * Makes a call that needs a fresh proof that it is the user. Where it is missing, a dialog asks for it and the call is repeated; the
 * refusal is thrown when the dialog is closed. Goes on with the token of the answer.
 */
export const withProof = async <T extends object>(call: () => Promise<T>): Promise<T> => {
  try {
    return withToken(await call());
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== "proof_required") throw error;
    const { askForProof } = await import("./proof-dialog");
    if (!(await askForProof())) throw error;
    return withToken(await call());
  }
};
