-- Reads the three tables while others go on reading and writing them.
alter table audit_log validate constraint past_until;
alter table postback validate constraint past_until;
alter table postback_attempt validate constraint past_until;
