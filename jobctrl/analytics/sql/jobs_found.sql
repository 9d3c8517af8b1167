SELECT count(*) AS jobs, (SELECT count(*) FROM board) AS of_all
FROM board_checked($words, $min_score, $bands, $states, $sources, $countries, $modes, $pays, $ages, $today)
WHERE ok AND ok_band AND ok_state AND ok_source AND ok_country AND ok_mode AND ok_pay AND ok_age
