/*
 * The part of MPI that the programs use, for machines with the libraries of MPICH and Open MPI and without their headers. Values and names of
 * the handles are those of each library's binary interface: MPICH's (common with Intel MPI and MVAPICH) are numbers, Open MPI's the
 * addresses of variables. Compile with -DOPEN_MPI for the latter.
 */
#ifdef OPEN_MPI
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_op_t *MPI_Op;
extern char ompi_mpi_comm_world[], ompi_mpi_double[], ompi_mpi_op_sum[];
#define MPI_COMM_WORLD ((MPI_Comm) ompi_mpi_comm_world)
#define MPI_DOUBLE ((MPI_Datatype) ompi_mpi_double)
#define MPI_SUM ((MPI_Op) ompi_mpi_op_sum)
#define MPI_PROC_NULL (-2)
#define MPI_STATUS_IGNORE ((void *) 0)
#else
typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Op;
#define MPI_COMM_WORLD ((MPI_Comm) 0x44000000)
#define MPI_DOUBLE ((MPI_Datatype) 0x4c00080b)
#define MPI_SUM ((MPI_Op) 0x58000003)
#define MPI_PROC_NULL (-1)
#define MPI_STATUS_IGNORE ((void *) 1)
#endif

#define MPI_THREAD_FUNNELED 1

int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int code);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count, MPI_Datatype in_type,
                 int from, int in_tag, MPI_Comm comm, void *status);
int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
