#!/bin/sh
# Runs a plan in four parts; submit it with sbatch. Untested: please report problems.
# Afterwards: searchagg merge part-*.ndjson
#SBATCH --job-name=searchagg
#SBATCH --array=1-4
#SBATCH --time=01:00:00
#SBATCH --mem=1G
set -eu
searchagg run --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --no-state \
  --format ndjson -o "part-$SLURM_ARRAY_TASK_ID.ndjson"
