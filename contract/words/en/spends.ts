// English sentences about entered spend.
export const spendsEn = {
  spend_cell_changed: 'Somebody has entered {sum} here meanwhile',
  spend_cell_changed_by: '{who} has entered {sum} here meanwhile',
  spend_cell_emptied_by: '{who} has emptied this cell meanwhile',
  spend_cell_emptied: 'Somebody has emptied this cell meanwhile',
  spend_outside_month: 'This day is not in the month',
  spend_repeated: 'The same stream, country, site and day once more: the first one counts',
  spend_repeated_cell: 'The same stream, country, site and day once more: {first} counts',
  spend_repeated_site: 'The same partner offer and day once more, with another site or without one: {first} counts',
  spend_entered_whole: 'For this partner offer and day {sum} is entered without a site already: change that spend',
  spend_entered_by_site:
    'For this partner offer and day {sum} is entered with the site {site} already: change that spend',
  spend_replaces_import: '{sum} by hand replaces {before} of an import',
  spend_replaces_sheet: '{sum} replaces {before} of a sheet',
  spend_returns_from_sheet:
    '{sum} is removed here, but the sheet has it: the next parse writes it again. Empty the cell in the sheet too',
  spend_kept_from_sheet: '{sum} of the sheet is confirmed: the sheet no longer changes this day',
  spend_kept_from_import: '{sum} of an import is confirmed by hand: an import no longer changes this day',
  spend_cell_kept: 'The cell is empty, but {sum} stays: an import deletes nothing. Clear it in the table',
  spend_kept_manual: 'By hand {before} was entered, which goes before {sum} of the import',
  spend_month_changed: 'Somebody else changed this month at the same moment: load it again',
  spread_no_day:
    'No day of this month can take spend: it needs an agency partner offer with clicks, registrations or deposits',
  spend_sum_negative: 'A spend cannot be negative',
  spend_two_ways: 'This can be read as two amounts: write it with two decimals, or as a plain number',
  spend_claim_without_offer:
    'The stream has no partner offer in this country: add one and accept again, or decline the claim',
  spend_claim_there: 'This day has a spend already: open that spend and claim your sum in it',
  spend_sum_large: 'This is more than a spend can be',
  spend_import_heading:
    'Wrong format: a heading with stream, country, date and sum is needed, or a column for each day',
  spend_import_not_book:
    '“{name}” is not an Excel workbook: it holds something else under this name. Save it as xlsx in a spreadsheet program, or choose a CSV file with the headings stream, country, date and sum',
  spend_import_month:
    'The columns are headed by days without a month: choose the month of the file, or write the days as 2026-11-20',
  spend_import_tab_absent:
    'No tab is of the month that you chose. Tabs of other months: {tabs}. Choose another month, or rename the tab',
  spend_import_tab_repeated:
    'Several tabs may be meant: {tabs}. Name one of them after the month, as 2026-11, or delete the others',
  spend_import_tabs_of_month:
    'Several tabs are of {month}: {tabs}. Keep one tab of the month, and rename or delete the others',
  spend_import_tabs_of_months: 'The file has tabs of several months: {tabs}. Choose the month of the file',
  spend_formula_error: 'The formula in {cell} shows {error}: correct it, save the file, and choose it again',
  spend_sum_rounded: 'The file has {given}: {sum} is taken, rounded to {scale} digits after the point',
  spend_formula_empty:
    'The file holds no result of this formula: open it in a spreadsheet program, save it, and choose it again',
  spend_import_large: 'No more than {max} sums in one file',
  spend_import_empty: 'The file has headings, but no sums beneath them',
  spend_heading_unknown: '“{heading}” in {cell} names no day: write it there as 2026-11-20',
  spend_heading_absent: 'The column has no heading: write the day into {cell} as 2026-11-20',
  spend_column_unused: 'The column “{heading}” is not read',
  spend_column_repeated: '“{heading}” is a second column of the same field: {first} is read, this one is not',
  spend_date_unread:
    '“{text}” in {cell} cannot be read as a date: write the day as 2026-11-20 or 20.11.2026, or as a date of the spreadsheet program',
  spend_date_absent: 'Row {row} has no date: write it into this cell',
  spend_column_left: 'The column “{heading}” names no day: its amounts are left out',
  spend_import_unpacked:
    'The file holds more than can be read: at most {max} MB when unpacked. Remove other sheets, formats and blank rows, or send it as CSV',
  spend_stream_absent: 'The row has amounts, but no stream: write it into this cell, or merge it with the stream above',
  spend_stream_unknown: 'There is no stream of this name here',
  spend_stream_ambiguous: 'Several partners have a stream of this name: choose the partner, or add a column “Partner”',
  spend_country_absent:
    'The row has amounts, but no country: write it into this cell, or merge it with the country above',
} as const
