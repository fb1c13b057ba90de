// What ~/.aws/config would say.
export const CONFIG_PREFIX_SEPARATOR = ".";
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });
