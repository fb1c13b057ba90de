/** The version of this code, as in package.json: what a record of a decision was made by. */
export const CODE_VERSION = "0.1.0";
