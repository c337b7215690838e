// What the person who is signed in holds, for what is decided outside of components. Known when the profile has come.
import type { Holder } from '@tributary/contract/access'

let holder: Holder | undefined

export const currentHolder = (): Holder | undefined => holder

export function setHolder(next: Holder): void {
  holder = next
}
