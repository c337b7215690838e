// Tables as Kysely knows them. Modules add theirs by `declare module`.

// biome-ignore lint/suspicious/noEmptyInterface: opened by the parts that own the tables
export interface Database {}
