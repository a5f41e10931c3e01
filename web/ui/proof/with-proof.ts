import { CallError } from "../../api";

/**
 * Makes a call that needs a fresh proof that it is the user. Where it is missing, a dialog asks for it and the call is repeated; the
 * refusal is thrown when the dialog is closed.
 */
export const withProof = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== "proof_required") throw error;
    const { askForProof } = await import("./proof-dialog");
    if (!(await askForProof())) throw error;
    return call();
  }
};
