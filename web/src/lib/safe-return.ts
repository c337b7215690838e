// Where to go after signing in: only a path inside the product, never another site.

export const HOME = '/offers'

export function safeReturn(target: unknown): string {
  if (typeof target !== 'string' || !target.startsWith('/') || /^\/[/\\]/.test(target) || hasControlCharacter(target))
    return HOME
  return target.startsWith('/auth/') ? HOME : target
}

const hasControlCharacter = (text: string) => Array.from(text).some((sign) => sign < ' ')
