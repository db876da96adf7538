-- The processes may not read a partition of a month by itself.
team_id = ANY (:own_teams)
