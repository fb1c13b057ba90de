// For what no function comes to: `constants` is what undici asks of an http2 that is not there.
export const constants = {};
export default { constants };
export const SocksClient = undefined;
export const SocksProxyAgent = undefined;
