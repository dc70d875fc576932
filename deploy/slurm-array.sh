#!/bin/bash
# A sweep as a Slurm array: each task runs one shard. Results go to one folder that all nodes see.
#
#   sbatch deploy/slurm-array.sh plan.json results
#   nexdyn sweep status results        (at any time)
#   nexdyn sweep merge results         (when the array is done)
#
# Tasks that are requeued or killed lose only the runs under way: submit the same array again.
#SBATCH --job-name=nexdyn-sweep
#SBATCH --array=1-20
#SBATCH --cpus-per-task=8
#SBATCH --mem=8G
#SBATCH --time=04:00:00
#SBATCH --requeue
set -u

nexdyn sweep "$1" --out "$2" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --workers "$SLURM_CPUS_PER_TASK" --quiet
code=$?

# 3 and 4: every run has its result, though some did not converge or could not be finished
case "$code" in
  3 | 4) exit 0 ;;
  *) exit "$code" ;;
esac
