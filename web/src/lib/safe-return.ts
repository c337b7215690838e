// The path to open after signing in: a path inside the product, never another site.

/** Redirects to the user's start page. */
const START = '/'
/** The start page of users who may open it. */
export const HOME = '/offers'

/** Any origin will do to resolve a path. */
const OWN = 'http://own.invalid'

export function safeReturn(target: unknown): string {
  if (typeof target !== 'string' || !target.startsWith('/') || hasControlCharacter(target)) return START
  const { origin, pathname } = new URL(target, OWN)
  // A path like '/.//evil' resolves to '//evil', which a browser takes for another site.
  if (origin !== OWN || pathname.startsWith('//')) return START
  return pathname.startsWith('/auth/') ? START : target
}

const hasControlCharacter = (text: string) => Array.from(text).some((sign) => sign < ' ')
