// What a noun is called in the menu, in the browser's tab and on the button that makes one.
interface Named {
  readonly title: string
  readonly create: string
}

export type Titles<T extends Record<string, Named>> = { [N in keyof T]: Pick<T[N], 'title' | 'create'> }

// `Object.fromEntries` forgets the names of the keys.
export const titlesOf = <T extends Record<string, Named>>(entities: T): Titles<T> =>
  Object.fromEntries(
    Object.entries(entities).map(([name, { title, create }]) => [name, { title, create }]),
  ) as Titles<T>
