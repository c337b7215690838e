-- A player with report entries is not deleted: the refusal names them.
alter table player_report drop constraint player_report_player_id_fkey;
alter table player_report add constraint player_report_player_id_fkey foreign key (player_id) references player;
