// Definitions of metrics, dimensions and fields. A language that lacks one does not compile.
import type { EntityName, FieldName } from '../entities/registry.ts'
import type { DimensionName, MetricName } from '../reports/traffic.ts'
import type { definitionsEn } from './en/definitions.ts'
import { endOfPath } from './entity-words.ts'

/** An entity may define a shared field anew. */
type FieldDefinitions<N extends EntityName, Shared extends string> = Record<Exclude<FieldName<N>, Shared>, string> &
  Partial<Record<Extract<FieldName<N>, Shared>, string>>

type SharedField = keyof typeof definitionsEn.fields

export interface Definitions<Shared extends string = SharedField> {
  readonly fields: Record<Shared, string>
  readonly entities: { readonly [N in EntityName]: FieldDefinitions<N, Shared> }
  readonly metrics: Record<MetricName, string>
  readonly dimensions: Record<DimensionName, string>
}

/** What a field means, or the last field of a path through references. */
export function fieldDefinition(definitions: Definitions, entity: EntityName, path: string): string | undefined {
  const end = endOfPath(entity, path)
  const own: Readonly<Record<string, string>> = definitions.entities[end.entity]
  const shared: Readonly<Record<string, string>> = definitions.fields
  return own[end.field] ?? shared[end.field]
}
