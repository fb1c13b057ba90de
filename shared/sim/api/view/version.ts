/** `/version` of every server of the fleet: the Kubernetes release whose behaviour is followed. */
export const SERVER_VERSION = {
  major: "1",
  minor: "36",
  gitVersion: "v1.36.0",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "2026-04-22T00:00:00Z",
  goVersion: "go1.26.0",
  compiler: "gc",
  platform: "linux/amd64",
};
