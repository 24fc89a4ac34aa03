-- One row a receipt, as `--upload-body json` sends it: the receipt on one line
-- with its signature as first member. It is stored as it came (a signature is
-- over bytes); what is asked for often is a column beside it.
--
-- ioreceipt run --upload 'https://HOST:8443/?query=INSERT%20INTO%20receipts(row)%20FORMAT%20CSV&format_csv_delimiter=%01' \
--   --upload-method POST --upload-body json
--
-- CSV with a delimiter that no receipt has takes the line whole; newer servers
-- know FORMAT JSONAsString. A receipt that is sent twice is there once (after a
-- merge; FINAL or GROUP BY jti before).
CREATE TABLE IF NOT EXISTS receipts
(
    row String,
    jti String DEFAULT visitParamExtractString(row, 'jti'),
    schema String DEFAULT visitParamExtractString(row, 'schema'),
    issued DateTime DEFAULT toDateTime(visitParamExtractUInt(row, 'iat')),
    complete UInt8 DEFAULT visitParamExtractBool(row, 'complete'),
    label String DEFAULT visitParamExtractString(row, 'sub'),
    digest String DEFAULT extract(row, '"plan":\\{"suite":"[^"]*","digest":"([^"]*)"')
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(issued)
ORDER BY (digest, label, jti)
