// Words of names that are known only at run time: an entity, a field path, a choice, a form section.
import type { Permission, RoleKind } from '@tributary/contract/access'
import { type EntityName, isEntityName } from '@tributary/contract/entities/registry'
import { describeCause } from '@tributary/contract/words/cause'
import { choiceLabel, fieldLabel, type Words, wordsOf } from '@tributary/contract/words/entity-words'
import { useTranslation } from 'react-i18next'
import { currentReportWords, currentWords } from './language.ts'
import type { Dictionary, ReportWords } from './shape.ts'

export interface Labels {
  /** 'Offers' */
  title(entity: EntityName): string
  /** 'offer' */
  one(entity: EntityName): string
  subtitle(entity: EntityName): string
  /** 'New offer' */
  create(entity: EntityName): string
  /** The label of a field, or of the last field of a path through references: 'offer.advertiser' → 'Advertiser'. */
  field(entity: EntityName, path: string): string
  /** The word for a choice; the choice itself if it has none. */
  choice(entity: EntityName, path: string, option: string): string
  section(name: string): string
  value(name: 'active' | 'inactive' | 'yes' | 'no' | 'beginning' | 'system'): string
  /** The title of an entity whose name may be unknown. */
  entity(name: string): string
  permission(key: Permission): string
  /** The words of a cause. */
  cause(text: string): string
}

/** Roles that every installation has, by the names that they are stored with. */
const BUILT_IN_ROLES: Readonly<Record<string, RoleKind>> = {
  Administrator: 'ADMIN',
  'Team leader': 'TEAM_LEADER',
  Manager: 'MANAGER',
  Partner: 'PARTNER',
}

/** The name of a role in the current language, as long as a built-in one has its first name. */
export function roleTitle(title: string, { entities }: Pick<Dictionary, 'entities'> = currentWords()): string {
  const kind = BUILT_IN_ROLES[title]
  return kind === undefined ? title : entities.user_role.choices.kind[kind]
}

export function labelsOf(dictionary: Dictionary): Labels {
  const words: Words = { common: dictionary, entities: dictionary.entities, causes: dictionary.causes }
  return {
    title: (entity) => wordsOf(words, entity).title,
    one: (entity) => wordsOf(words, entity).one,
    subtitle: (entity) => wordsOf(words, entity).subtitle,
    create: (entity) => wordsOf(words, entity).create,
    field: (entity, path) => fieldLabel(words, entity, path),
    choice: (entity, path, option) => choiceLabel(words, entity, path, option),
    entity: (name) => (isEntityName(name) ? wordsOf(words, name).title : name),
    section: (name) => sectionsOf(dictionary)[name] ?? name,
    value: (name) => dictionary.values[name],
    permission: (key) => dictionary.permissions[key],
    cause: (text) => describeCause(words, text),
  }
}

const sectionsOf = ({ engine }: Dictionary): Readonly<Record<string, string>> => engine.sections

/** Returns labels in the current language; the component renders again when it changes. */
export function useLabels(): Labels {
  useTranslation()
  return labelsOf(currentWords())
}

/** Returns report words in the current language, for names known at run time; the component renders again when it changes. */
export function useReportWords(): ReportWords {
  useTranslation('reports')
  return currentReportWords()
}
