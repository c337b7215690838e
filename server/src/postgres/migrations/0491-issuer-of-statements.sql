-- Who issues and pays statements: a legal name and an address, which their PDF names.
alter table setting add column statement_issuer text;
