-- Columns of a spend sheet that a parse left out because its mapping says so: [{tab, cell, heading}].
alter table google_parse_result add column ignored_columns jsonb not null default '[]';
