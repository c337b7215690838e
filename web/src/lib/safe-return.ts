// The path to open after signing in: a path inside the product, never another site.

/** Redirects to the user's start page. */
const START = '/'
/** The start page of users who may open it. */
export const HOME = '/offers'

export function safeReturn(target: unknown): string {
  if (typeof target !== 'string' || !target.startsWith('/') || /^\/[/\\]/.test(target) || hasControlCharacter(target))
    return START
  return target.startsWith('/auth/') ? START : target
}

const hasControlCharacter = (text: string) => Array.from(text).some((sign) => sign < ' ')
