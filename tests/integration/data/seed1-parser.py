# The parser of the published method whose files --fio-dir writes (seed text
# 1, "Turn Seven JSON Files Into One Comparison Receipt"), word for word: it is
# the acceptance criterion and is never to be changed.
import json, pathlib, statistics, sys

lab = pathlib.Path(sys.argv[1])
def load(name):
    return json.loads((lab / name).read_text())['jobs'][0]
def pct(metric, value):
    return int(metric['clat_ns']['percentile'][f'{value:.6f}'])
def line(name, direction, job):
    metric = job[direction]
    return (
        f'{name} {direction}_iops={metric["iops"]:.1f} '
        f'{direction}_mib_s={metric["bw_bytes"]/1048576:.2f} '
        f'{direction}_p50_ms={pct(metric,50)/1e6:.3f} '
        f'{direction}_p95_ms={pct(metric,95)/1e6:.3f} '
        f'{direction}_p99_ms={pct(metric,99)/1e6:.3f} '
        f'{direction}_p99_9_ms={pct(metric,99.9)/1e6:.3f}'
    )

qd1 = [load(f'qd1-run-{run}.json') for run in (1, 2, 3)]
for index, job in enumerate(qd1, 1):
    print(line(f'qd1_run={index}', 'read', job))
values = [job['read']['iops'] for job in qd1]
print(
    f'qd1_repeat_iops_min={min(values):.1f} '
    f'qd1_repeat_iops_max={max(values):.1f} '
    f'qd1_repeat_iops_spread_pct='
    f'{(max(values)-min(values))/statistics.mean(values)*100:.2f}'
)
print(line('qd32', 'read', load('qd32.json')))
mixed = load('mixed.json')
print(line('mixed_qd4', 'read', mixed))
print(line('mixed_qd4', 'write', mixed))
sync_job = load('fdatasync.json')
print(line('fdatasync_qd1', 'write', sync_job))
table = sync_job['sync']['lat_ns']['percentile']
print(
    'fdatasync_latency '
    f'p50_ms={int(table["50.000000"])/1e6:.3f} '
    f'p95_ms={int(table["95.000000"])/1e6:.3f} '
    f'p99_ms={int(table["99.000000"])/1e6:.3f} '
    f'p99_9_ms={int(table["99.900000"])/1e6:.3f}'
)
print('receipt=complete')
