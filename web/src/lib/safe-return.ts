// Where to go after signing in: only a path inside the product, never another site.

/** Leads to where the product begins for this person. */
const START = '/'
/** Where that is for whoever may open it. */
export const HOME = '/offers'

export function safeReturn(target: unknown): string {
  if (typeof target !== 'string' || !target.startsWith('/') || /^\/[/\\]/.test(target) || hasControlCharacter(target))
    return START
  return target.startsWith('/auth/') ? START : target
}

const hasControlCharacter = (text: string) => Array.from(text).some((sign) => sign < ' ')
