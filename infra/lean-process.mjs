// Imported as a module, node:process reads each of its own properties, standard streams and reports among them.
export const { env, versions } = process;
