// Addresses of the guide's pictures, which are files of the build.
import type { Language } from '@tributary/contract/language'

const FILES = import.meta.glob<string>('../../../../docs/guide/*/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** The address of a picture; undefined if there is none of that name. */
export const pictureOf = (language: Language, name: string): string | undefined =>
  Object.entries(FILES).find(([path]) => path.endsWith(`/${language}/${name}.webp`))?.[1]
