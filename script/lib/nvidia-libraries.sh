# Sourced: names NVIDIA's libraries to the loader where it does not know them, as PyTorch brings them and as drivers are
# mounted into containers. What LD_LIBRARY_PATH names already comes first.
# What programs of the machine's own run with.
export HOPWISE_MACHINE_LIBRARIES=${LD_LIBRARY_PATH:-}
nvidia=$(python3 -c 'import glob, sys; print(*(d for p in sys.path if p for d in glob.glob(p + "/nvidia/*/lib")), sep=":")' 2>/dev/null || true)
for folder in $nvidia /usr/local/nvidia/lib64 /usr/local/nvidia/lib; do
  [ "$folder" = "$nvidia" ] || [ -d "$folder" ] || continue
  LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder
done
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}
