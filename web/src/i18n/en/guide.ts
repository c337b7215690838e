// English words around the pages of the guide.
export const guideEn = {
  title: 'Guide',
  contents: 'All pages',
  search: 'Search the guide',
  nothing: 'No guide page mentions “{{query}}”.',
} as const
