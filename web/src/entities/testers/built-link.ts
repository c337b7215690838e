// A tracking link with a partner's parameters: landing, own click id, sub ids, promo code.

/** In the order of the URL. */
export const LINK_PARAMETERS = ['click_id', 'sub_id', 'sub2', 'sub3', 'sub4', 'sub5', 'promocode'] as const
export type LinkParameter = (typeof LINK_PARAMETERS)[number]

export interface BuiltLink {
  readonly landing: string | null
  readonly parameters: Readonly<Partial<Record<LinkParameter, string>>>
}

/** The first landing, without parameters. */
export const NO_BUILT_LINK: BuiltLink = { landing: null, parameters: {} }

/** Text in braces is a macro of the partner's own tracker and stays as it is. */
const encode = (value: string): string =>
  value
    .split(/(\{[^{}]*\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join('')

export function buildLink(partnerLink: string, { landing, parameters }: BuiltLink): string {
  const pairs: [string, string][] = LINK_PARAMETERS.flatMap((name) => {
    const value = parameters[name]?.trim() ?? ''
    return value === '' ? [] : [[name, value] as [string, string]]
  })
  if (landing !== null) pairs.push(['landing', landing])
  const query = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&')
  return query === '' ? partnerLink : `${partnerLink}${partnerLink.includes('?') ? '&' : '?'}${query}`
}

/** The same parameters for the tester's call. */
export const parametersOf = ({ landing, parameters }: BuiltLink): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(parameters).filter(([, value]) => value.trim() !== '')),
  ...(landing === null ? {} : { landing }),
})

/** Adds a macro to a template, under the macro's own name. */
export function addMacro(template: string, macro: string): string {
  const [page = '', ...fragment] = template.split('#')
  const separator = page.includes('?') ? (/[?&]$/.test(page) ? '' : '&') : '?'
  return [`${page}${separator}${macro}={${macro}}`, ...fragment].join('#')
}
