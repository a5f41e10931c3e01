import type { Words } from "../../zh-CN";
import type { factorErrors as errorsZhCN, factors as zhCN } from "../../zh-CN/accounts/factors";

export const factors: Words<typeof zhCN> = {
  step: {
    title: "Two-step sign-in",
    totpText: "Enter the code that your authenticator app shows now.",
    recoveryText: "Enter one of your recovery codes. Each works once.",
    submit: "Sign in",
    busy: "Signing in…",
    failed: "Could not sign in, please try again",
    back: "Back to sign in",
  },
  code: "Code",
  recoveryCode: "Recovery code",
  use: { totp: "Use the authenticator app", recovery: "Use a recovery code", password: "Use your password" },
  proof: {
    title: "Confirm that it’s you",
    text: "You won’t be asked again for 10 minutes.",
    password: "Your password",
    submit: "Confirm",
    failed: "Could not confirm",
  },
  section: {
    text: "With a second step, your password alone is not enough to sign in.",
    loadFailed: "Failed to fetch your security settings",
    changeFailed: "Could not change your security settings",
  },
  totp: {
    title: "Authenticator app",
    off: "Sign in with your password and a code from an app on your phone.",
    on: "Added on {{day}}. Signing in with your password asks for its code.",
    add: "Set up",
    replace: "Replace",
    remove: "Remove",
    setUpTitle: "Set up an authenticator app",
    scan: "Scan this with your authenticator app, then enter the code that the app shows.",
    qr: "QR code of the secret",
    secret: "Secret, if you can’t scan",
    submit: "Add app",
    failed: "Could not add the app",
    added: "The authenticator app was added",
    removeTitle: "Remove the authenticator app?",
    removeText: "Your password is then enough to sign in. Your recovery codes stop working, too.",
    removed: "The authenticator app was removed",
    removing: "Removing…",
  },
  recovery: {
    title: "Recovery codes",
    left: "{{count}} left. They let you sign in without your phone.",
    renew: "Create new codes",
    renewTitle: "Create new recovery codes?",
    renewText: "The earlier codes stop working.",
    renewing: "Creating…",
    shownTitle: "Save your recovery codes",
    shown:
      "Without your phone, each of them lets you sign in once. Keep them in a password manager or on paper: they are shown only now.",
    all: "All codes",
    save: "Save as a file",
    done: "I have saved them",
  },
  reset: {
    title: "Two-step sign-in",
    text: "For a user who has lost their phone and recovery codes. Their password is then enough to sign in; they are signed out everywhere and told by mail.",
    action: "Remove the second step",
    confirmTitle: "Remove the second step of “{{name}}”?",
    done: "“{{name}}” can sign in with the password alone",
    failed: "Could not remove the second step",
  },
};

export const factorErrors: Words<typeof errorsZhCN> = {
  sign_in_expired: "This sign-in has expired. Enter your password again.",
  setup_expired: "This took too long. Please start again.",
  proof_required: "Confirm that it’s you first",
  wrong_code: "This code is wrong",
  code_used: "This code was used already. Wait for the next one.",
  clock_off:
    "This code is from a few minutes ago, or ahead. Enter the current one. If it is refused too, the clock of your phone or of the server is wrong.",
  no_second_factor: "Your account has no second step yet",
};
