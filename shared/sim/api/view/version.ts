/** `/version` of every server of the fleet. */
export const SERVER_VERSION = {
  major: "1",
  minor: "35",
  gitVersion: "v1.35.0",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "2025-12-17T00:00:00Z",
  goVersion: "go1.25.5",
  compiler: "gc",
  platform: "linux/amd64",
};
