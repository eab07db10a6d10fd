/* Stand-in for IMB-MPI1 of Intel MPI: a real ping-pong over MPICH, printed in the published format of the Intel MPI Benchmarks 4.0.
 * The few declarations are of the common ABI of MPICH and Intel MPI (libmpi.so.12), so that no header is needed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define WORLD 0x44000000
#define BYTE 0x4c00010d
#define INT 0x4c000405
#define NO_STATUS ((void *)1)
#define LARGEST (1 << 22)
#define SECONDS_PER_SAMPLE 0.3

int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(int comm, int *rank);
int MPI_Comm_size(int comm, int *size);
int MPI_Send(const void *buffer, int count, int type, int to, int tag, int comm);
int MPI_Recv(void *buffer, int count, int type, int from, int tag, int comm, void *status);
int MPI_Bcast(void *buffer, int count, int type, int root, int comm);
int MPI_Barrier(int comm);
int MPI_Get_version(int *version, int *subversion);
double MPI_Wtime(void);

static char *buffer;
static int rank;

static double seconds(int bytes, int repetitions) {
    int other = 1 - rank;
    double start = MPI_Wtime();
    for (int i = 0; i < repetitions; i++) {
        if (rank == 0) {
            MPI_Send(buffer, bytes, BYTE, other, 1, WORLD);
            MPI_Recv(buffer, bytes, BYTE, other, 1, WORLD, NO_STATUS);
        } else if (rank == 1) {
            MPI_Recv(buffer, bytes, BYTE, other, 1, WORLD, NO_STATUS);
            MPI_Send(buffer, bytes, BYTE, other, 1, WORLD);
        }
    }
    return MPI_Wtime() - start;
}

/* 1000 messages, fewer of long ones, and fewer where a sample would take too long. */
static int repetitions(int bytes) {
    int most = 40 * (1 << 20) / (bytes > 0 ? bytes : 1);
    int count = most < 1000 ? most : 1000;
    double one = seconds(bytes, 5) / 5;
    if (one * count > SECONDS_PER_SAMPLE) {
        count = (int)(SECONDS_PER_SAMPLE / one);
    }
    count = count < 2 ? 2 : count;
    MPI_Bcast(&count, 1, INT, 0, WORLD);
    return count;
}

static void header(int argc, char **argv) {
    struct utsname system;
    time_t now = time(NULL);
    int version, subversion;
    uname(&system);
    MPI_Get_version(&version, &subversion);
    printf("#------------------------------------------------------------\n");
    printf("#    Intel (R) MPI Benchmarks 4.0 Update 1, MPI-1 part\n");
    printf("#------------------------------------------------------------\n");
    printf("# Stand-in              : a ping-pong over MPICH in the format of IMB\n");
    printf("# Date                  : %s", ctime(&now));
    printf("# Machine               : %s\n# System                : %s\n", system.machine, system.sysname);
    printf("# Release               : %s\n# Version               : %s\n", system.release, system.version);
    printf("# MPI Version           : %d.%d\n", version, subversion);
    printf("\n# Calling sequence was:\n#");
    for (int i = 0; i < argc; i++) {
        printf(" %s", argv[i]);
    }
    printf("\n# Minimum message length in bytes:   0\n# Maximum message length in bytes:   %d\n", LARGEST);
    printf("#\n# MPI_Datatype                   :   MPI_BYTE\n");
    printf("#\n# List of Benchmarks to run:\n# PingPong\n");
    printf("#---------------------------------------------------\n");
    printf("# Benchmarking PingPong\n# #processes = 2\n");
    printf("#---------------------------------------------------\n");
    printf("       #bytes #repetitions      t[usec]   Mbytes/sec\n");
}

/* MPI_Finalize of MPICH 4.0 may wait for ever over sockets. Every message has been received here, so each process leaves by itself,
 * after the word without which Hydra takes that for a crash, on the socket that PMI_FD names. */
static int leave(int status) {
    static const char goodbye[] = "cmd=finalize\n";
    const char *pmi = getenv("PMI_FD");
    char answer[64];
    fflush(NULL);
    if (pmi == NULL || write(atoi(pmi), goodbye, sizeof goodbye - 1) < 0 || read(atoi(pmi), answer, sizeof answer) <= 0) {
        return 1;
    }
    _exit(status);
}

int main(int argc, char **argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    int known = argc < 2 || strcasecmp(argv[1], "pingpong") == 0;
    buffer = calloc(1, LARGEST);
    if (size < 2 || !known || buffer == NULL) {
        if (rank == 0) {
            fprintf(stderr, "IMB-MPI1: this stand-in has the benchmark PingPong, for 2 processes\n");
        }
        return leave(1);
    }
    if (rank == 0) {
        header(argc, argv);
    }
    for (int bytes = 0; bytes <= LARGEST; bytes = bytes == 0 ? 1 : 2 * bytes) {
        int count = repetitions(bytes);
        MPI_Barrier(WORLD);
        double micros = seconds(bytes, count) / count / 2 * 1e6;
        if (rank == 0) {
            printf("%13d %12d %12.2f %12.2f\n", bytes, count, micros, bytes / micros * 1e6 / (1 << 20));
            fflush(stdout);
        }
    }
    MPI_Barrier(WORLD);
    if (rank == 0) {
        printf("\n# All processes entering MPI_Finalize\n\n");
        fflush(stdout);
    }
    return leave(0);
}
