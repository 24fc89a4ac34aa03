-- What `ioreceipt compare --by label` shows, for one plan: the median of each
-- figure over the receipts of a label; where a receipt has several runs of a
-- window, its figure is the median of those. Replace DIGEST (plan.digest).
-- Percentiles that are withheld (null) are left out, as compare does. median()
-- is exact up to 8192 receipts a label; quantileExact(0.5)() is for more.
SELECT
    label,
    window,
    count() AS receipts,
    median(read_iops) AS read_iops,
    median(read_p99) AS read_lat_p99,
    median(write_iops) AS write_iops,
    median(write_p99) AS write_lat_p99,
    median(commit_p99) AS commit_lat_p99
FROM
(
    SELECT
        label,
        jti,
        extract(part, '"name":"([^"]+)"') AS window,
        median(toFloat64OrNull(extract(part, '"read":\\{.*?"iops":([0-9.]+)'))) AS read_iops,
        median(toFloat64OrNull(extract(part, '"read":\\{.*?"lat_ns":\\{.*?"p99":([0-9]+)'))) AS read_p99,
        median(toFloat64OrNull(extract(part, '"write":\\{.*?"iops":([0-9.]+)'))) AS write_iops,
        median(toFloat64OrNull(extract(part, '"write":\\{.*?"lat_ns":\\{.*?"p99":([0-9]+)'))) AS write_p99,
        median(toFloat64OrNull(extract(part, '"commit":\\{.*?"lat_ns":\\{.*?"p99":([0-9]+)'))) AS commit_p99
    FROM
    (
        SELECT
            label,
            jti,
            arrayJoin(extractAll(row, '\\{"name":"[^"]+","run":[0-9]+,.*?,"series"')) AS part
        FROM receipts FINAL
        WHERE (digest = 'DIGEST') AND complete AND (schema = 'ioreceipt/1')
    )
    GROUP BY label, jti, window
)
GROUP BY label, window
ORDER BY window, label
