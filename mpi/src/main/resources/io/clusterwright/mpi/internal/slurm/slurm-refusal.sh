# Says why ranks that Slurm starts with its PMI plugin $1 would each be alone in a world of one, and exit 0 all the same. Says nothing
# where they would not, and where nobody can tell before. $2 is the program; the MPI library that it loads counts more than the one
# that was chosen, $3. Open MPI complains about a wrong plugin itself.
alone() {
    case $1 in
        none | openmpi)
            echo "the PMI plugin $1 tells no rank of the others"
            return
            ;;
        pmix*) ;;
        *) return ;;
    esac
    library=$(timeout 5 ldd "$(command -v -- "$2")" 2> /dev/null \
        | sed -n 's/^[[:space:]]*libmpi\(ch\)*\.so\.[0-9]* => \(\/[^ ]*\) .*/\2/p' | head -n 1)
    who="$2 loads ${library:=$3}, which"
    if [ "$library" = "$3" ]; then who="the job's MPI, $library,"; fi
    case $library in
        */libmpich.so* | */libmpi.so.12*) ;;
        *) return ;;
    esac
    # Intel MPI opens the library it is told, so that nothing is known before.
    if timeout 5 ldd "$library" 2> /dev/null | grep -q libpmix || grep -q I_MPI_PMI_LIBRARY "$library"; then return; fi
    echo "$who does not speak $1"
}
# Says which node has fewer CPUs than the job needs there, since srun and sbatch wait for them without end. Reads lines "node|CPUs|...";
# $1 holds a line "node CPUs" for each node of the job.
crowded() {
    while IFS='|' read -r node cpus rest; do
        needed=$(printf '%s\n' "$1" | sed -n "s/^$node //p")
        if [ "${needed:-0}" -gt "$cpus" ]; then
            echo "Slurm counts $cpus CPUs on $node, and the job needs $needed there"
        fi
    done
}
