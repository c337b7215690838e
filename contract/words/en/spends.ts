// English sentences about entered spend.
export const spendsEn = {
  spend_cell_changed: 'Somebody has entered {sum} here meanwhile',
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
  spend_kept_manual: 'By hand {before} was entered, which goes before {sum} of the import',
  spread_no_day:
    'No day of this month can take spend: it needs an agency partner offer with clicks, registrations or deposits',
  spend_sum_negative: 'A spend cannot be negative',
  spend_two_ways: 'This can be read as two amounts: write it with two decimals, or as a plain number',
  spend_claim_without_offer:
    'The stream has no partner offer in this country: add one and accept again, or decline the claim',
  spend_claim_there: 'This day has a spend already: claim your sum in it, by PUT partner_spend/{id}',
  spend_sum_large: 'This is more than a spend can be',
  spend_import_heading:
    'Wrong format: a heading with stream, country, date and sum is needed, or a column for each day',
  spend_import_large: 'No more than {max} sums in one file',
  spend_import_empty: 'The file has headings, but no sums beneath them',
  spend_heading_unknown: '“{heading}” in {cell} names no day: write it there as 2026-11-20',
  spend_heading_absent: 'The column has no heading: write the day into {cell} as 2026-11-20',
  spend_column_left: 'The column “{heading}” names no day: its amounts are left out',
  spend_import_unpacked:
    'The file holds more than can be read: at most {max} MB when unpacked. Remove other sheets, formats and blank rows, or send it as CSV',
  spend_stream_absent: 'The stream is missing',
  spend_stream_unknown: 'You have no stream of this name',
  spend_stream_ambiguous: 'Several partners have a stream of this name: choose the partner, or add a column “Partner”',
  spend_country_absent: 'The country is missing',
} as const
