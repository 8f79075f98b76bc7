#!/bin/sh
# Trains on a cluster what the other examples train in a program: uploads a graph, has it cut into parts, trained on by
# ranks that hold one part each, on one host or several, and brings the embeddings back under your own ids. (DGL's
# `partition_graph`, `copy_files.py`, `ip_config.txt` and `launch.py` over ssh: workers announce themselves, and fetch
# the parts that their ranks hold.)
#
#   HOPWISE_URL=… HOPWISE_API_KEY=… examples/cluster/train.sh [FOLDER] [OPTIONS OF hopwise train]
#
# FOLDER gets embeddings.csv. For two hosts: --set resources.hosts=2, with a worker on each (docs/guides/several-hosts.md).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
hopwise="node $here/../../packages/cli/bin/hopwise.mjs"
folder=${1:-.}
[ $# -eq 0 ] || shift

$hopwise upload "$here/../papers/nodes.csv" "$here/../papers/edges.csv" --name papers-on-parts
trained=$($hopwise train --dataset papers-on-parts --spec "$here/job.json" --watch --json "$@")
job=$(printf %s "$trained" | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).id')
$hopwise download "$job" --what embeddings --format csv --output "$folder/embeddings.csv"
printf %s "$trained" |
  node -p '`test accuracy ${(100 * JSON.parse(require("fs").readFileSync(0, "utf8")).metrics["test/accuracy"]).toFixed(1)} %`'
