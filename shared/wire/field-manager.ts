/** The field manager of everything we write; ownership of `spec.replicas` under it proves that a scale landed. */
export const FIELD_MANAGER = "mainsheet";
