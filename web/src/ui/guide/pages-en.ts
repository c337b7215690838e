// The English pages of the guide by file, in one download.
export const pagesEn = import.meta.glob<string>('../../../../docs/guide/en/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
})
