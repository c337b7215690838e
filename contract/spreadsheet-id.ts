// Ids of Google's spreadsheets, alone or in an address.

/** Google promises letters, digits, hyphens and underscores, and no length. */
const ID = /^(?=.*[^\W_])[\w-]{1,200}$/

/** Google's id of a spreadsheet, also from its address at docs.google.com; null if the text holds none. */
export function spreadsheetIdOf(text: string | null | undefined): string | null {
  const given = (text ?? '').trim()
  const id =
    /^(?:https:\/\/)?docs\.google\.com\/spreadsheets\/(?:u\/\d+\/)?d\/([\w-]+)(?:[/?#].*)?$/i.exec(given)?.[1] ?? given
  return ID.test(id) ? id : null
}
