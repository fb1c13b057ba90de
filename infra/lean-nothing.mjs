// For what no function comes to: each name is asked for by a module of which something else is used.
export const Agent = undefined;
export const ProxyAgent = undefined;
export const ReadableStream = undefined;
export const ServerConfiguration = undefined;
export const SocksClient = undefined;
export const SocksProxyAgent = undefined;
export const createConfiguration = undefined;
export const of = undefined;
