// The title of the browser's tab: the name of the open page or record, and the product.
import { currentWords } from '../i18n/language.ts'

/** Empty: the product alone. */
export function nameTab(name: string): void {
  const { product } = currentWords()
  document.title = name === '' ? product : `${name} · ${product}`
}
