/*
 * An MPI program whose ranks have OpenMP threads. All threads of all ranks add up the area below 4 / (1 + x * x), which is pi; rank 0 prints
 * it. Each rank prints on which processors each of its threads may run.
 */
#define _GNU_SOURCE
#include "mpi.h"
#include <omp.h>
#include <sched.h>
#include <stdio.h>

#define STEPS 1000000

int main(int argc, char **argv)
{
    int level, rank, size, i, cpu, threads = 0;
    double sum = 0, pi = 0;
    char places[4096] = "";
    int used = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel for reduction(+ : sum)
    for (i = rank; i < STEPS; i += size) {
        double x = (i + 0.5) / STEPS;
        sum += 4 / (1 + x * x);
    }
    MPI_Allreduce(&sum, &pi, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp parallel
    {
#pragma omp single
        threads = omp_get_num_threads();
#pragma omp for ordered schedule(static, 1) private(cpu)
        for (i = 0; i < threads; i++) {
#pragma omp ordered
            {
                cpu_set_t mine;
                char *between = " ";
                sched_getaffinity(0, sizeof mine, &mine);
                for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
                    if (CPU_ISSET(cpu, &mine) && used < (int) sizeof places - 8) {
                        used += sprintf(places + used, "%s%d", between, cpu);
                        between = ",";
                    }
            }
        }
    }
    printf("rank %d of %d, %d threads on%s\n", rank, size, threads, places);
    if (rank == 0)
        printf("pi %.9f\n", pi / STEPS);
    fflush(stdout);
    MPI_Finalize();
    return level < MPI_THREAD_FUNNELED;
}
