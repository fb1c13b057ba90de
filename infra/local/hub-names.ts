/** What the local host calls its hub in keys, logs and events. */
export const LOCAL_HUBS = { embedded: "local", real: "hub" } as const;
