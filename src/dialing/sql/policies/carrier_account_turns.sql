team_id = ANY (:own_teams)
