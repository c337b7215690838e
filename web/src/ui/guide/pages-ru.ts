// The Russian pages of the guide by file, in one download.
export const pagesRu = import.meta.glob<string>('../../../../docs/guide/ru/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
})
