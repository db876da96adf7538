id = ANY (:own_teams)
