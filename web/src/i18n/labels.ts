// Words for things whose name is only known at run time: an entity, a field path, a choice, a form section.
import type { Permission } from '@tributary/contract/access'
import { ENTITIES, type EntityName } from '@tributary/contract/entities/registry'
import type { Fields } from '@tributary/contract/field'
import { useTranslation } from 'react-i18next'
import { currentWords } from './language.ts'
import type { Dictionary } from './shape.ts'

export interface Labels {
  /** 'Offers' */
  title(entity: EntityName): string
  /** 'offer' */
  one(entity: EntityName): string
  subtitle(entity: EntityName): string
  /** 'New offer' */
  create(entity: EntityName): string
  /** The label of a field, or of what a path through references ends in: 'offer.advertiser' → 'Advertiser'. */
  field(entity: EntityName, path: string): string
  /** The word for a choice; the choice itself when there is none. */
  choice(entity: EntityName, path: string, option: string): string
  section(name: string): string
  permission(key: Permission): string
}

interface LooseWords {
  title: string
  one: string
  subtitle: string
  create: string
  fields: Record<string, string>
  choices?: Record<string, Record<string, string>>
}

/** The entity and field in which a path ends. */
function resolve(entity: EntityName, path: string): { entity: EntityName; field: string } {
  const [head = '', ...rest] = path.split('.')
  const field = (ENTITIES[entity].fields as Fields)[head]
  if (rest.length === 0 || !field) return { entity, field: head }
  const next =
    field.kind === 'reference' || field.kind === 'references' ? field.to : field.kind === 'children' ? field.of : null
  return next !== null && next in ENTITIES ? resolve(next as EntityName, rest.join('.')) : { entity, field: head }
}

export function labelsOf(words: Dictionary): Labels {
  // The dictionary is complete by type; only its union of 34 shapes is too wide to index by a name.
  const entities = words.entities as Record<EntityName, LooseWords>
  const common: Record<string, string> = words.fields
  const sections: Record<string, string> = words.form.sections
  return {
    title: (entity) => entities[entity].title,
    one: (entity) => entities[entity].one,
    subtitle: (entity) => entities[entity].subtitle,
    create: (entity) => entities[entity].create,
    field: (entity, path) => {
      const end = resolve(entity, path)
      return entities[end.entity].fields[end.field] ?? common[end.field] ?? path
    },
    choice: (entity, path, option) => {
      const end = resolve(entity, path)
      return (
        entities[end.entity].choices?.[end.field]?.[option] ??
        (words.permissions as Record<string, string>)[option] ??
        option
      )
    },
    section: (name) => sections[name] ?? name,
    permission: (key) => words.permissions[key],
  }
}

/** Labels in the language in use; the component renders again when it changes. */
export function useLabels(): Labels {
  useTranslation()
  return labelsOf(currentWords())
}
