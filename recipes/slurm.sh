#!/bin/sh
# Grade a class as one Slurm job: the first task is the scheduler and `attn grade`, each further
# task a worker, which grades one cell at a time.
#
#     sbatch recipes/slurm.sh CLASS OUT [more words for `attn grade`]
#
# Other users of the cluster cannot reach it: its parts show each other a certificate made here.
# CLASS, OUT and the folder that you submit from are seen by every node, and `attn` and `dask` are
# on PATH there (`module load` or activate the environment first). If time runs out, submit it
# again: what was graded stays. Add --partition and --account if your site asks for them.
#SBATCH --job-name=attn
#SBATCH --ntasks=17
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=3G
#SBATCH --time=01:00:00
set -eu
[ $# -ge 2 ] || { echo "usage: sbatch $0 CLASS OUT [more words for attn grade]" >&2; exit 2; }
[ "${SLURM_NTASKS:-0}" -ge 2 ] || { echo "Two tasks are the least: sbatch --ntasks=2 …" >&2; exit 2; }
class=$1 out=$2
shift 2

at="$PWD/attn-scheduler-$SLURM_JOB_ID.json"  # where the workers find the scheduler
ATTN_TLS="$PWD/attn-tls-$SLURM_JOB_ID"
. "${ATTN_RECIPES:-$PWD/recipes}/tls.sh"
dask scheduler --protocol tls --port 0 --no-dashboard --scheduler-file "$at" &
scheduler=$!
trap 'kill "$scheduler"; wait; rm -rf "$at" "$ATTN_TLS"' EXIT  # workers end when their scheduler does
trap 'exit 143' TERM
until [ -s "$at" ]; do
    kill -0 "$scheduler" || { echo "The Dask scheduler did not start." >&2; exit 1; }
    sleep 1
done

srun --ntasks=$((SLURM_NTASKS - 1)) --exact dask worker --scheduler-file "$at" \
    --nworkers 1 --nthreads 1 --memory-limit 3GB --no-dashboard --death-timeout 60 &
address=$(sed -n 's/.*"address": "\([^"]*\)".*/\1/p' "$at")
attn grade "$class" --out "$out" --scheduler "$address" "$@"
