// The shape of the record, table by table, as Kysely sees it. Parts add their tables by `declare module` beside the code that owns them.

// biome-ignore lint/suspicious/noEmptyInterface: opened by the parts that own the tables
export interface Database {}
