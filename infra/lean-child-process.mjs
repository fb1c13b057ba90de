// Loaded when a program is started, which only the credential plugins of a kubeconfig do.
const onCall =
  (name) =>
  (...args) =>
    process.getBuiltinModule("node:child_process")[name](...args);

export default { execSync: onCall("execSync"), spawn: onCall("spawn"), spawnSync: onCall("spawnSync") };
