// The Latin letter of a pressed key, for shortcuts.

/** The letter that the layout writes; of a layout without Latin letters, the one on the same key of a US keyboard. Else the key's name. */
export function keyLetter({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const letter = key.toLowerCase()
  return key.length === 1 && !/[a-z]/.test(letter) && code.startsWith('Key') ? code.slice(3).toLowerCase() : letter
}
