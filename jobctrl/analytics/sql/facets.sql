-- A facet is counted over the jobs that pass all other parts of the filter: what choosing its value would show.
WITH checked AS MATERIALIZED (
  SELECT * FROM
  board_checked($words, $min_score, $bands, $states, $sources, $countries, $modes, $pays, $ages, $today)
  WHERE ok
)
SELECT facet, value, jobs FROM (
  SELECT 'band' AS facet, band AS value, count(*) AS jobs FROM checked
  WHERE ok_state AND ok_source AND ok_country AND ok_mode AND ok_pay AND ok_age GROUP BY ALL
  UNION ALL
  SELECT 'state', state, count(*) FROM checked
  WHERE ok_band AND ok_source AND ok_country AND ok_mode AND ok_pay AND ok_age GROUP BY ALL
  UNION ALL
  SELECT 'source', source_id, count(*) FROM checked
  WHERE ok_band AND ok_state AND ok_country AND ok_mode AND ok_pay AND ok_age GROUP BY ALL
  UNION ALL
  SELECT 'country', country, count(*) FROM (
    SELECT unnest(countries) AS country FROM checked
    WHERE ok_band AND ok_state AND ok_source AND ok_mode AND ok_pay AND ok_age
  ) GROUP BY ALL
  UNION ALL
  SELECT 'mode', mode, count(*) FROM checked
  WHERE ok_band AND ok_state AND ok_source AND ok_country AND ok_pay AND ok_age GROUP BY ALL
  UNION ALL
  SELECT 'pay', pay_stated, count(*) FROM checked
  WHERE ok_band AND ok_state AND ok_source AND ok_country AND ok_mode AND ok_age GROUP BY ALL
  UNION ALL
  SELECT 'age', age, count(*) FROM checked
  WHERE ok_band AND ok_state AND ok_source AND ok_country AND ok_mode AND ok_pay GROUP BY ALL
)
ORDER BY facet, jobs DESC, value
