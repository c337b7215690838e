// English sentences about entered spend.
export const spendsEn = {
  spend_cell_changed: 'Somebody has meanwhile entered {sum} here',
  spend_cell_changed_by: '{who} has meanwhile entered {sum} here',
  spend_cell_emptied_by: '{who} has meanwhile emptied this cell',
  spend_cell_emptied: 'Somebody has meanwhile emptied this cell',
  spend_outside_month: 'This day is not in the month',
  spend_repeated: 'This stream, country, site and day is repeated: the first one counts',
  spend_repeated_cell: 'This stream, country, site and day is repeated: {first} counts',
  spend_repeated_site: 'This partner offer and day is repeated, with another site or without one: {first} counts',
  spend_entered_whole: '{sum} is already entered for this partner offer and day without a site: change that spend',
  spend_entered_by_site:
    '{sum} is already entered for this partner offer and day with the site {site}: change that spend',
  spend_replaces_import: '{sum} entered by hand replaces {before} from an import',
  spend_replaces_sheet: '{sum} replaces {before} from a sheet',
  spend_returns_from_sheet:
    '{sum} is removed here, but it is still in the sheet, and the next parse adds it again. Empty the cell in the sheet, too',
  spend_kept_from_sheet: '{sum} from the sheet is confirmed: the sheet no longer changes this day',
  spend_kept_from_import: '{sum} from an import is confirmed by hand: imports no longer change this day',
  spend_cell_kept: 'The cell is empty, but {sum} stays: an import deletes nothing. Clear it in the table',
  spend_kept_manual: '{before} was entered by hand and takes precedence over {sum} from the import',
  spend_month_changed: 'Somebody else changed this month at the same time: reload it',
  spread_no_day:
    'No day of this month can take spend: it needs an agency partner offer with clicks, registrations or deposits',
  spend_sum_negative: 'A spend cannot be negative',
  spend_two_ways: 'This can be read as two amounts: write it with two decimals, or as a plain number',
  spend_claim_without_offer:
    'The stream has no partner offer in this country: add one and accept again, or decline the claim',
  spend_claim_there: 'This day already has a spend: open it and claim your sum there',
  spend_sum_large: 'This is more than a spend can be',
  spend_import_heading:
    'Wrong format: a heading with stream, country, date and sum is needed, or a column for each day',
  spend_import_not_book:
    '“{name}” is not an Excel workbook: its content is something else. Save it as xlsx in a spreadsheet program, or choose a CSV file with the headings stream, country, date and sum',
  spend_import_month:
    'The columns are headed by days without a month: choose the month of the file, or write the days as 2026-11-20',
  spend_import_tab_absent:
    'No tab is for the month you chose. Tabs of other months: {tabs}. Choose another month, or rename the tab',
  spend_import_tab_repeated:
    'Several tabs match: {tabs}. Name one of them after the month, as 2026-11, or delete the others',
  spend_import_tabs_of_month:
    'Several tabs are for {month}: {tabs}. Keep one tab of the month, and rename or delete the others',
  spend_import_tabs_of_months: 'The file has tabs of several months: {tabs}. Choose the month of the file',
  spend_formula_error: 'The formula in {cell} shows {error}: correct it, save the file, and choose it again',
  spend_sum_rounded: 'The file has {given}: {sum} is imported, rounded to {scale} decimals',
  spend_formula_empty:
    'The file holds no result of this formula: open it in a spreadsheet program, save it, and choose it again',
  spend_import_large: 'No more than {max} sums in one file',
  spend_import_empty: 'The file has headings, but no sums beneath them',
  spend_heading_unknown: '“{heading}” in {cell} is not a day: write it as 2026-11-20',
  spend_heading_absent: 'The column has no heading: write the day into {cell} as 2026-11-20',
  spend_column_unused: 'The column “{heading}” is not read',
  spend_column_repeated: '“{heading}” is a second column of the same field: {first} is read, this one is not',
  spend_date_unread:
    '“{text}” in {cell} cannot be read as a date: write the day as 2026-11-20 or 20.11.2026, or as a date of the spreadsheet program',
  spend_date_absent: 'Row {row} has no date: write it into this cell',
  spend_column_left: 'The column “{heading}” is not a day: its amounts are left out',
  spend_import_unpacked:
    'The file is too complex to read: at most {max} MB when unpacked. Remove other sheets, formats and blank rows, or send it as CSV',
  spend_stream_absent: 'The row has amounts, but no stream: write it into this cell, or merge it with the stream above',
  spend_stream_unknown: 'There is no stream of this name here',
  spend_stream_ambiguous: 'Several partners have a stream of this name: choose the partner, or add a column “Partner”',
  spend_country_absent:
    'The row has amounts, but no country: write it into this cell, or merge it with the country above',
} as const
