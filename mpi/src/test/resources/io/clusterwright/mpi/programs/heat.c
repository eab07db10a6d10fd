/*
 * The heat equation on a rod that the ranks share: each exchanges its ends with its neighbours in every one of 2,000 steps, and all add up
 * the heat every 50. Rank 0 prints the sum. The arguments end a rank in another way: MODE RANK [STEPS [CODE]], where MODE is
 *   exit   leaves with status 3 at half of the steps
 *   crash  writes to address 0 then
 *   abort  calls MPI_Abort with code 5, or CODE, then
 *   wrong  sends to a rank that is not there then
 *   early  leaves with status 3 before MPI_Init
 *   late   returns 3 after MPI_Finalize
 *   slow   sleeps for 3 s before MPI_Finalize
 *   sleep  sleeps for 60 s before MPI_Finalize
 *   busy   computes for 60 s before MPI_Finalize
 */
#include "mpi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CELLS 1000

static double cell[CELLS + 2], next[CELLS + 2];

static int rank_of(const char *name)
{
    const char *value = getenv(name);
    return value == NULL ? -1 : atoi(value);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 2 ? argv[1] : "";
    int chosen = argc > 2 ? atoi(argv[2]) : -1;
    int steps = argc > 3 ? atoi(argv[3]) : 2000;
    int rank, size, i, step;
    double sum = 0, all = 0;

    if (strcmp(mode, "early") == 0 && (rank_of("PMI_RANK") == chosen || rank_of("OMPI_COMM_WORLD_RANK") == chosen))
        return 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    int right = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    if (rank == 0)
        cell[0] = 100;
    for (step = 0; step < steps; step++) {
        if (rank == chosen && step == steps / 2) {
            if (strcmp(mode, "exit") == 0)
                exit(3);
            if (strcmp(mode, "crash") == 0)
                *(volatile int *) 0 = 1;
            if (strcmp(mode, "abort") == 0)
                MPI_Abort(MPI_COMM_WORLD, argc > 4 ? atoi(argv[4]) : 5);
            if (strcmp(mode, "wrong") == 0)
                MPI_Send(cell, 1, MPI_DOUBLE, size, 0, MPI_COMM_WORLD);
        }
        MPI_Sendrecv(&cell[1], 1, MPI_DOUBLE, left, 0, &cell[CELLS + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&cell[CELLS], 1, MPI_DOUBLE, right, 1, &cell[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (rank == 0)
            cell[0] = 100;
        for (i = 1; i <= CELLS; i++)
            next[i] = cell[i] + 0.4 * (cell[i - 1] - 2 * cell[i] + cell[i + 1]);
        memcpy(cell + 1, next + 1, CELLS * sizeof(double));
        if (step % 50 == 49) {
            for (sum = 0, i = 1; i <= CELLS; i++)
                sum += cell[i];
            MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
    }
    if (rank == 0) {
        printf("heat %.3f\n", all);
        fflush(stdout);
    }
    if (rank == chosen && strcmp(mode, "slow") == 0)
        sleep(3);
    if (rank == chosen && strcmp(mode, "sleep") == 0)
        sleep(60);
    if (rank == chosen && strcmp(mode, "busy") == 0) {
        time_t end = time(NULL) + 60;
        while (time(NULL) < end)
            for (i = 0; i < 1000000; i++)
                cell[i % CELLS] += 1e-9;
    }
    MPI_Finalize();
    return rank == chosen && strcmp(mode, "late") == 0 ? 3 : 0;
}
