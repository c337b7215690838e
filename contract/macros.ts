// Macros of templates, in both directions.

export const MACROS = [
  'click_id',
  'partner_click_id',
  'sub_id',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
  'site_id',
  'stream',
  'promocode',
  'landing',
  'country',
  'geo',
  'media_id',
  'player_id',
  'event',
  'sum',
  'currency',
  'date',
  'uuid',
] as const
export type Macro = (typeof MACROS)[number]

export function findUnknownMacros(template: string): string[] {
  const known: readonly string[] = MACROS
  return [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '').filter((name) => !known.includes(name))
}
